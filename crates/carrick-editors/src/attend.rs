//! Keeps one editor's room up to date: shows the reviews that are its own, tells how every review ended and how
//! things stand.
//!
//! One task for each editor, so that an editor that hangs holds up nobody else. It looks at the desk after every
//! event, so that events that are lost to a slow editor cost nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use carrick_core::{Desk, Editor, EditorId, End, Event, ReviewId, Room, Standing};
use tokio::sync::broadcast::error::RecvError;

/// Runs for as long as the editor is at the desk; at once over for one without a room.
pub(crate) async fn attend(desk: Arc<Desk>, id: EditorId, editor: Arc<dyn Editor>) {
    let Some(room) = editor.room() else { return };
    let mut events = desk.events();
    let mut attendant = Attendant { desk: &desk, id, room, waiting: BTreeMap::new(), told: None };
    attendant.look().await;
    loop {
        match events.recv().await {
            Ok(Event::Remarked(words)) => attendant.note(room.remark(words).await),
            Ok(Event::Mentioned(..) | Event::DiagnosticsChanged(_) | Event::TabsChanged(_)) => {}
            Ok(_) | Err(RecvError::Lagged(_)) => attendant.look().await,
            Err(RecvError::Closed) => return,
        }
    }
}

struct Attendant<'a> {
    desk: &'a Desk,
    id: EditorId,
    room: &'a dyn Room,
    /// The reviews that waited at the last look.
    waiting: BTreeMap<ReviewId, PathBuf>,
    told: Option<Standing>,
}

impl Attendant<'_> {
    async fn look(&mut self) {
        let standing = Standing::at(self.desk, self.id);
        // First the whole picture: what is shown next is asked about at once.
        if self.told.as_ref() != Some(&standing) {
            self.note(self.room.standing(standing.clone()).await);
            self.told = Some(standing.clone());
        }
        for pending in &standing.waiting {
            self.waiting.insert(pending.id, pending.path.clone());
            if let Some(review) = self.desk.claim_review(pending.id, self.id) {
                self.note(self.room.show(review).await);
            }
        }
        let ended = self.waiting.keys().copied().filter(|id| !standing.waiting.iter().any(|p| p.id == *id));
        for id in ended.collect::<Vec<_>>() {
            let path = self.waiting.remove(&id).unwrap_or_default();
            let record = self.desk.review(id);
            // One that is too large to be kept was decided; how, nobody knows any more.
            let end = record.and_then(|record| record.outcome.as_ref().map(End::from)).unwrap_or(End::Closed);
            self.note(self.room.settled(id, path, end).await);
        }
    }

    fn note(&self, done: Result<(), carrick_core::EditorError>) {
        if let Err(error) = done {
            tracing::warn!(%error, editor = self.id.0, "an editor cannot show something");
        }
    }
}
