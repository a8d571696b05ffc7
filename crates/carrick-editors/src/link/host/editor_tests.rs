//! An editor that is brought over the link, as the desk and its agents find it, over streams in memory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use carrick_core::{
    Answer, Content, Decision, Desk, Dirty, Editor, EditorError, End, Event, NewReview, OpenRequest, Opened,
    Original, Outcome, Position, PrivateList, Range, Review, ReviewId, Room, Selection, Standing, Tab, Who,
};
use tokio::io::duplex;

use super::tests::facts;
use crate::link::brought::Brought;
use crate::link::guest::Guest;
use crate::link::protocol::Role;

/// An editor that notes what it is asked.
#[derive(Default)]
struct Noting {
    asked: Mutex<Vec<String>>,
}

impl Noting {
    fn note<T: Send + 'static>(&self, words: String, value: T) -> Answer<'_, T> {
        self.asked.lock().unwrap().push(words);
        Box::pin(std::future::ready(Ok(value)))
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Editor for Noting {
    fn name(&self) -> &str {
        "noting"
    }
    fn open(&self, request: OpenRequest) -> Answer<'_, Opened> {
        if request.path.ends_with("none") {
            return Box::pin(std::future::ready(Err(EditorError::NotFound(request.path))));
        }
        let opened = Opened {
            path: request.path.clone(),
            language: "text".into(),
            line_count: 7,
            selected: request.range,
            start_missing: false,
            end_missing: true,
        };
        self.note(format!("open {}", request.path.display()), opened)
    }
    fn tabs(&self) -> Answer<'_, Vec<Tab>> {
        let tab = |path: &str| Tab {
            path: path.into(),
            label: "l".into(),
            language: "text".into(),
            line_count: 3,
            is_active: true,
            is_dirty: true,
            is_pinned: false,
            is_preview: false,
            is_untitled: false,
            group: 1,
            is_group_active: true,
            selection: None,
        };
        self.note("tabs".into(), vec![tab("/w/a"), tab("/w/.env")])
    }
    fn close_tab(&self, name: String) -> Answer<'_, bool> {
        self.note(format!("close {name}"), true)
    }
    fn dirty(&self, _: PathBuf) -> Answer<'_, Option<Dirty>> {
        self.note("dirty".into(), None)
    }
    fn save(&self, _: PathBuf) -> Answer<'_, bool> {
        self.note("save".into(), true)
    }
    fn content(&self, _: PathBuf) -> Answer<'_, Content> {
        self.note("content".into(), Content::Text("x\r\n".into()))
    }
    fn room(&self) -> Option<&dyn Room> {
        Some(self)
    }
}

impl Room for Noting {
    fn show(&self, review: Arc<Review>) -> Answer<'_, ()> {
        self.note(format!("show {} {}", review.id.0, review.proposed), ())
    }
    fn settled(&self, id: ReviewId, _: PathBuf, end: End) -> Answer<'_, ()> {
        self.note(format!("settled {} {}", id.0, end.word()), ())
    }
    fn standing(&self, standing: Standing) -> Answer<'_, ()> {
        self.note(format!("standing {} {}", standing.clients.len(), standing.waiting.len()), ())
    }
    fn remark(&self, words: Arc<str>) -> Answer<'_, ()> {
        self.note(format!("remark {words}"), ())
    }
}

async fn bring(desk: &Arc<Desk>, pid: Option<u32>) -> (Arc<Noting>, Brought) {
    let (ours, theirs) = duplex(64 << 10);
    tokio::spawn(super::serve_one(theirs, Arc::clone(desk), facts()));
    let editor = Arc::new(Noting::default());
    let guest = Guest::greet(ours, Role::Editor, "noting").await.unwrap();
    let brought = Brought::seat(guest, Arc::clone(&editor) as Arc<dyn Editor>, pid).await.unwrap();
    (editor, brought)
}

fn desk() -> Arc<Desk> {
    Desk::new(vec!["/w".into()], PrivateList::default())
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let waited = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    let patience = std::time::Duration::from_secs(10);
    tokio::time::timeout(patience, waited).await.unwrap_or_else(|_| panic!("waited in vain: {what}"));
}

fn selection(path: &str, text: &str) -> Selection {
    let end = Position::new(0, text.len() as u32);
    Selection { path: path.into(), text: text.into(), range: Range::new(Position::default(), end) }
}

#[tokio::test]
async fn the_desk_asks_the_editor_that_was_brought() {
    let desk = desk();
    let (editor, _brought) = bring(&desk, None).await;
    let there = desk.focused_editor().unwrap();
    let range = Some(Range::new(Position::new(1, 0), Position::new(2, 0)));
    let opened = there.open(OpenRequest { range, ..OpenRequest::new("/w/a", Who::Person) }).await.unwrap();
    assert_eq!((opened.line_count, opened.selected, opened.end_missing), (7, range, true));
    assert!(editor.asked().contains(&"open /w/a".to_owned()));
    let tabs = there.tabs().await.unwrap();
    assert_eq!(tabs.len(), 1, "a private one is not told");
    assert_eq!((tabs[0].group, tabs[0].is_dirty), (1, true));
    assert!(there.close_tab("a".into()).await.unwrap() && there.save("/w/a".into()).await.unwrap());
    assert_eq!(there.dirty("/w/a".into()).await.unwrap(), None);
    assert_eq!(there.content("/w/a".into()).await.unwrap(), Content::Text("x\r\n".into()));
    assert!(there.diagnose().is_none() && there.format().is_none());
    let error = there.open(OpenRequest::new("/w/none", Who::Person)).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no file /w/none");
    let outside = there.open(OpenRequest::new("/etc/hostname", Who::Agent)).await.unwrap_err();
    assert!(matches!(outside, EditorError::Outside(_) | EditorError::NotFound(_)), "{outside}");
}

#[tokio::test]
async fn what_happens_in_it_reaches_the_desk() {
    let desk = desk();
    let (_editor, brought) = bring(&desk, None).await;
    let mut events = desk.events();
    brought.select(Some(selection("/w/a", "hello"))).await;
    until("the selection", || desk.selection().is_some_and(|there| &*there.text == "hello")).await;
    brought.select(Some(selection("/w/.env", "KEY"))).await;
    until("nothing of a private file", || desk.selection().is_none()).await;
    let folder = std::env::temp_dir().canonicalize().unwrap();
    brought.folders(vec![folder.clone()]).await;
    until("the folder", || desk.folders().contains(&folder)).await;
    brought.tabs_changed().await;
    while !matches!(events.recv().await.unwrap(), Event::TabsChanged(_)) {}
    drop(brought);
    until("it is gone", || desk.focused_editor().is_none() && desk.folders().len() == 1).await;
}

#[tokio::test]
async fn its_reviews_are_shown_there_and_decided_there() {
    let desk = desk();
    desk.know_lineage(Box::new(|pid| vec![pid, pid / 10]));
    let (one, one_brought) = bring(&desk, Some(1)).await;
    let (two, _two_brought) = bring(&desk, Some(2)).await;
    let seat = desk.join();
    desk.introduce(seat.id(), Some("claude".into()), Some(10));
    let propose = |tab: &str| {
        desk.open_review(NewReview {
            client: seat.id(),
            path: "/w/a".into(),
            tab_name: tab.into(),
            original: Original::Text("old".into()),
            proposed: format!("new {tab}").into(),
        })
    };
    let first = propose("t");
    until("it is shown", || one.asked().contains(&"show 1 new t".to_owned())).await;
    one_brought.decide(first.id(), Decision::AcceptWith("mine".into())).await.unwrap();
    assert_eq!(first.outcome().await, Outcome::Accepted("mine".into()));
    until("both hear the end", || {
        [&one, &two].iter().all(|editor| editor.asked().contains(&"settled 1 accepted".to_owned()))
    })
    .await;
    let error = one_brought.decide(ReviewId(1), Decision::Reject).await.unwrap_err();
    assert!(error.contains("settled already"), "{error}");
    assert!(!two.asked().iter().any(|words| words.starts_with("show")), "{:?}", two.asked());
    let second = propose("u");
    until("the second is shown", || one.asked().contains(&"show 2 new u".to_owned())).await;
    drop(one_brought);
    until("the other editor has it now", || two.asked().contains(&"show 2 new u".to_owned())).await;
    drop(second);
    until("and hears its end", || two.asked().contains(&"settled 2 gone".to_owned())).await;
}

#[tokio::test]
async fn only_an_editor_sits_down() {
    let desk = desk();
    let (ours, theirs) = duplex(64 << 10);
    tokio::spawn(super::serve_one(theirs, Arc::clone(&desk), facts()));
    let guest = Guest::greet(ours, Role::Viewer, "v").await.unwrap();
    let refused = Brought::seat(guest, Arc::new(Noting::default()), None).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("role `editor`")));
}

#[tokio::test]
async fn a_desk_that_goes_is_noticed() {
    let desk = desk();
    let (ours, theirs) = duplex(64 << 10);
    let host = tokio::spawn(super::serve_one(theirs, Arc::clone(&desk), facts()));
    let guest = Guest::greet(ours, Role::Editor, "noting").await.unwrap();
    let mut brought = Brought::seat(guest, Arc::new(Noting::default()), None).await.unwrap();
    host.abort();
    while brought.next().await.is_some() {}
    assert!(brought.mention(carrick_core::Mention { path: "/w/a".into(), lines: None }, None).await.is_err());
}
