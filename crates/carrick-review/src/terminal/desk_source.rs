//! A desk in this process as a room's source.

use std::path::PathBuf;
use std::sync::Arc;

use carrick_core::{Decision, Desk, DeskError, Event, Original, ReviewId, ReviewRecord};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::source::{Contents, End, Entry, Later, Look, Opening, Refused, Size, Source, Status, Told};

/// Contents up to this size are compared for the list; the rest is compared when somebody looks.
const COMPARED_BYTES: usize = 1 << 20;

/// A desk and what happens on it.
pub struct DeskSource {
    desk: Arc<Desk>,
    events: Receiver<Event>,
    root: PathBuf,
    port: u16,
}

impl DeskSource {
    /// The desk of this folder, whose door has this port.
    #[must_use]
    pub fn opening(desk: Arc<Desk>, root: PathBuf, port: u16) -> Opening {
        let events = desk.events();
        Box::new(move || {
            let source: Box<dyn Source> = Box::new(Self { desk, events, root, port });
            Box::pin(std::future::ready(Ok(source)))
        })
    }

    fn status(&self) -> Status {
        let selection = self.desk.selection().map(|selection| {
            let (start, end) = (selection.range.start.line, selection.range.end.line);
            (selection.path, start + 1, end + 1)
        });
        let clients = self.desk.clients().into_iter().filter(|client| client.ready).map(|client| client.name);
        Status { port: self.port, clients: clients.collect(), selection }
    }

    fn told(&self, event: Event) -> Option<Told> {
        match event {
            Event::ReviewOpened(id) => self.desk.review(id).map(|record| Told::Entry(entry(&record))),
            Event::ReviewSettled(id) => {
                let outcome = self.desk.review(id).and_then(|record| record.outcome);
                Some(Told::Ended(id.0, outcome.as_ref().map(End::from)))
            }
            Event::Remarked(words) => Some(Told::Remark(words.to_string())),
            Event::ClientReady(_)
            | Event::ClientResponsive(..)
            | Event::ClientLeft(_)
            | Event::SelectionChanged(_) => Some(Told::Status(self.status())),
            Event::ClientJoined(_)
            | Event::Mentioned(..)
            | Event::DiagnosticsChanged(_)
            | Event::TabsChanged(_)
            | Event::FoldersChanged
            | Event::AbilitiesChanged => None,
        }
    }
}

impl Source for DeskSource {
    fn look(&mut self) -> Later<'_, Result<Look, Refused>> {
        let entries = self.desk.reviews().iter().map(entry).collect();
        let look = Look { root: self.root.clone(), entries, status: self.status() };
        Box::pin(std::future::ready(Ok(look)))
    }

    fn contents(&mut self, id: u64) -> Later<'_, Result<Contents, Refused>> {
        let record = self.desk.review(ReviewId(id)).ok_or_else(|| DeskError::NoReview(id).to_string());
        Box::pin(std::future::ready(record.map(|record| {
            let review = &record.review;
            let original = match (&review.original, review.before()) {
                (Original::Text(_), Some(before)) => Original::Text(before.into()),
                (other, _) => other.clone(),
            };
            Contents { original, proposed: Arc::clone(&review.proposed) }
        })))
    }

    fn decide(&mut self, id: u64, decision: Decision) -> Later<'_, Result<(), Refused>> {
        let decided = self.desk.decide(ReviewId(id), decision).map_err(|error| error.to_string());
        Box::pin(std::future::ready(decided))
    }

    fn next(&mut self) -> Later<'_, Told> {
        Box::pin(async {
            loop {
                match self.events.recv().await {
                    Ok(event) => {
                        if let Some(told) = self.told(event) {
                            return told;
                        }
                    }
                    Err(RecvError::Lagged(_)) => return Told::Anew,
                    Err(RecvError::Closed) => return Told::Over,
                }
            }
        })
    }
}

fn entry(record: &ReviewRecord) -> Entry {
    let review = &record.review;
    let before = review.before().map_or(0, |before| before.len());
    let small = before + review.proposed.len() <= COMPARED_BYTES;
    let size = match (&review.original, small) {
        (Original::NotText, _) => Size::NotText,
        (_, false) => Size::Unknown,
        (Original::Missing, true) => Size::NewFile(review.counts().0),
        (Original::Text(_), true) => {
            let (added, removed) = review.counts();
            Size::Lines(added, removed)
        }
    };
    Entry {
        id: review.id.0,
        path: review.path.clone(),
        client: review.client_name.clone(),
        opened: review.opened,
        size,
        end: record.outcome.as_ref().map(End::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carrick_core::{NewReview, PrivateList, Seat, WaitingReview};

    fn propose(seat: &Seat, original: Original) -> WaitingReview {
        seat.desk().open_review(NewReview {
            client: seat.id(),
            path: "/w/a".into(),
            tab_name: "t".into(),
            original,
            proposed: "b\n".into(),
        })
    }

    async fn source(desk: &Arc<Desk>) -> Box<dyn Source> {
        DeskSource::opening(Arc::clone(desk), "/w".into(), 7)().await.unwrap()
    }

    #[tokio::test]
    async fn what_happens_on_the_desk_is_told_once() {
        let desk = Desk::new(vec!["/w".into()], PrivateList::default());
        let mut source = source(&desk).await;
        let seat = desk.join();
        seat.ready();
        assert!(matches!(source.next().await, Told::Status(status) if status.clients.len() == 1));
        let review = propose(&seat, Original::Missing);
        assert!(matches!(source.next().await, Told::Entry(entry) if entry.size == Size::NewFile(1)));
        source.decide(review.id().0, Decision::Reject).await.unwrap();
        assert!(matches!(source.next().await, Told::Ended(1, Some(End::Rejected))));
        assert!(source.decide(1, Decision::Accept).await.unwrap_err().contains("settled already"));
        desk.remark("look");
        assert!(matches!(source.next().await, Told::Remark(words) if words == "look"));
    }

    #[tokio::test]
    async fn the_original_comes_in_the_line_ends_of_the_proposal() {
        let desk = Desk::new(vec!["/w".into()], PrivateList::default());
        let mut source = source(&desk).await;
        let seat = desk.join();
        let _review = propose(&seat, Original::Text("a\r\n".into()));
        assert_eq!(source.contents(1).await.unwrap().original, Original::Text("a\n".into()));
        assert!(source.contents(2).await.is_err());
        assert_eq!(source.look().await.unwrap().entries.len(), 1);
    }
}
