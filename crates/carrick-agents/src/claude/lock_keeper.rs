//! Keeps the lock file true: written again when it is deleted, rewritten when the folders change.
//!
//! The system says when something happens in the folder, so nothing is polled and an idle door wakes nobody.

use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

use carrick_core::{Desk, Event, paths, paths::Host};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::{broadcast, mpsc};

use super::lock_file::LockFile;

/// A pause before each look: several changes at once are one, and two programs that disagree about the file do not
/// spin.
const PAUSE: Duration = Duration::from_millis(250);

/// The folders of the desk as the lock file names them.
pub(crate) fn folders(desk: &Desk, host: Host) -> Vec<String> {
    desk.folders().iter().map(|folder| paths::on_the_wire(folder, host)).collect()
}

/// Runs as long as the door is open. The lock is held weakly: dropping the door must remove the file. The events are
/// those since the file was written: a folder that comes before this runs for the first time counts too.
pub(crate) async fn keep(
    lock: Weak<LockFile>,
    desk: Arc<Desk>,
    mut events: broadcast::Receiver<Event>,
    host: Host,
) {
    // One pending "look again" is as good as many: when the channel is full, one is on its way.
    let (changed, mut changes) = mpsc::channel(1);
    let mut watch = watch(&lock, &changed);
    loop {
        let folders_changed = tokio::select! {
            _ = changes.recv() => false,
            event = events.recv() => match event {
                Ok(Event::FoldersChanged) | Err(broadcast::error::RecvError::Lagged(_)) => true,
                Ok(_) => continue,
                Err(broadcast::error::RecvError::Closed) => return,
            },
        };
        if !folders_changed {
            tokio::time::sleep(PAUSE).await;
        }
        let Some(lock) = lock.upgrade() else { return };
        let outcome = if folders_changed {
            lock.change_folders(&folders(&desk, host)).map(|()| false)
        } else {
            lock.restore()
        };
        match outcome {
            // The folder itself may be a new one: watch that.
            Ok(true) => {
                tracing::info!("the lock file was gone and is there again");
                watch = self::watch(&Arc::downgrade(&lock), &changed);
            }
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot write the lock file; trying again when something changes")
            }
        }
        drop(lock);
        let _ = &watch;
    }
}

fn watch(lock: &Weak<LockFile>, changed: &mpsc::Sender<()>) -> Option<RecommendedWatcher> {
    let lock = lock.upgrade()?;
    let (changed, first_look) = (changed.clone(), changed.clone());
    let look = move |event: notify::Result<notify::Event>| {
        // Reading the file is an event too; only what can make it untrue is worth a look.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = changed.try_send(());
        }
    };
    let mut watcher =
        notify::recommended_watcher(look).inspect_err(|error| tracing::warn!(%error, "cannot watch")).ok()?;
    for dir in lock.files().iter().filter_map(|file| file.parent()) {
        watch_dir(&mut watcher, dir);
    }
    // What happened before the watch began made no event: look once.
    let _ = first_look.try_send(());
    Some(watcher)
}

fn watch_dir(watcher: &mut RecommendedWatcher, dir: &Path) {
    if let Err(error) = watcher.watch(dir, RecursiveMode::NonRecursive) {
        tracing::warn!(dir = %dir.display(), %error, "cannot watch the folder of the lock file");
    }
}
