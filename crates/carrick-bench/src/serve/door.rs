//! carrick's own door on a desk with the built-in editor, and somebody who accepts every change at once.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use carrick_agents::claude::{Dialect, Door, DoorOptions};
use carrick_core::{Decision, Desk, EditorId, Event, Position, PrivateList, Range, Selection, paths::Host};
use carrick_editors::headless::Headless;
use tokio::sync::broadcast::error::RecvError;

use super::{announce, obey};
use crate::messages;

pub(super) async fn run() -> Result<()> {
    let folder = std::env::current_dir()?;
    let desk = Desk::new(vec![folder.clone()], PrivateList::default());
    let editor = Headless::seat(&desk).id().context("the editor has no seat")?;
    tokio::spawn(accept_everything(Arc::clone(&desk)));
    // A client that becomes ready hears what is selected: so the load knows when it is.
    push(&desk, editor, 0);
    let door = Door::open(Arc::clone(&desk), options(&folder)).await?;
    announce(door.port(), door.token().reveal())?;
    obey(async |number| push(&desk, editor, number)).await;
    door.close().await;
    Ok(())
}

fn options(folder: &Path) -> DoorOptions {
    DoorOptions {
        ide_name: "carrick".into(),
        version: env!("CARGO_PKG_VERSION"),
        dialect: Dialect::default(),
        host: Host::Posix,
        lock_dirs: vec![folder.join(".claude/ide")],
        remembered: None,
        fixed_port: None,
    }
}

fn push(desk: &Desk, editor: EditorId, number: u64) {
    let range = Range { start: Position::new(0, 0), end: Position::new(messages::selected_end(), 0) };
    let (path, text) = (messages::SELECTED_FILE.into(), messages::selected_text(number).into());
    desk.select(editor, Some(Selection { path, text, range }));
}

async fn accept_everything(desk: Arc<Desk>) {
    let mut events = desk.events();
    loop {
        match events.recv().await {
            Ok(Event::ReviewOpened(id)) => drop(desk.decide(id, Decision::Accept)),
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => {
                for waiting in desk.reviews().into_iter().filter(|record| record.outcome.is_none()) {
                    let _ = desk.decide(waiting.review.id, Decision::Accept);
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}
