//! The desk's promises, without any wire or editor.

use super::*;
use crate::{Decision, NewReview, Original, Outcome, Position, Range, Seat};

fn desk() -> Arc<Desk> {
    Desk::new(vec!["/w".into()], PrivateList::default())
}

fn propose(seat: &Seat, tab: &str, old: &str, new: &str) -> crate::WaitingReview {
    let original = Original::Text(old.into());
    let (client, tab_name) = (seat.id(), tab.into());
    seat.desk().open_review(NewReview {
        client,
        path: "/w/a".into(),
        tab_name,
        original,
        proposed: new.into(),
    })
}

fn selection(path: &str, text: &str) -> Selection {
    let end = Position::new(0, text.len() as u32);
    Selection { path: path.into(), text: text.into(), range: Range::new(Position::default(), end) }
}

fn now<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("not settled"),
    }
}

#[test]
fn a_review_is_answered_exactly_once() {
    let desk = desk();
    let seat = desk.join();
    let waiting = propose(&seat, "t", "a\n", "b\n");
    let id = waiting.id();
    desk.decide(id, Decision::Accept).unwrap();
    assert_eq!(desk.decide(id, Decision::Reject), Err(DeskError::Settled(1, "accepted")));
    assert_eq!(now(waiting.outcome()), Outcome::Accepted("b\n".into()));
    assert_eq!(desk.review(id).unwrap().outcome, Some(Outcome::Accepted("b\n".into())));
}

#[test]
fn hunks_and_edits_come_back_in_lf() {
    let desk = desk();
    let seat = desk.join();
    let waiting = propose(&seat, "t", "a\r\nb\r\nc\r\n", "A\nb\nC\n");
    assert_eq!(desk.decide(waiting.id(), Decision::AcceptHunks(vec![3])), Err(DeskError::NoHunk(1, 3, 2)));
    assert_eq!(desk.decide(waiting.id(), Decision::AcceptHunks(vec![])), Err(DeskError::NothingChosen(1)));
    desk.decide(waiting.id(), Decision::AcceptHunks(vec![2])).unwrap();
    assert_eq!(now(waiting.outcome()), Outcome::Accepted("a\nb\nC\n".into()));

    let waiting = propose(&seat, "t", "a\n", "b\n");
    desk.decide(waiting.id(), Decision::AcceptWith("x\r\ny".into())).unwrap();
    assert_eq!(now(waiting.outcome()), Outcome::Accepted("x\ny".into()));
}

#[test]
fn closing_touches_only_the_own_views() {
    let desk = desk();
    let (one, other) = (desk.join(), desk.join());
    let mine = propose(&one, "t", "", "1");
    let theirs = propose(&other, "t", "", "2");
    assert!(desk.close_review(one.id(), "t"));
    assert!(!desk.close_review(one.id(), "t"));
    assert_eq!(desk.close_reviews_of(one.id()), 0);
    assert_eq!(now(mine.outcome()), Outcome::Closed);
    assert_eq!(desk.review(theirs.id()).unwrap().outcome, None);
}

#[test]
fn the_same_name_again_closes_the_older_view() {
    let desk = desk();
    let seat = desk.join();
    let (older, newer) = (propose(&seat, "t", "", "1"), propose(&seat, "t", "", "2"));
    assert_eq!(now(older.outcome()), Outcome::Closed);
    assert_eq!(desk.review(newer.id()).unwrap().outcome, None);
}

#[test]
fn a_lost_client_leaves_its_review_to_be_copied() {
    let desk = desk();
    let seat = desk.join();
    let waiting = propose(&seat, "t", "", "precious");
    let id = waiting.id();
    drop(seat);
    let record = desk.review(id).unwrap();
    assert_eq!(record.outcome, Some(Outcome::Gone));
    assert_eq!(&*record.review.proposed, "precious");
    assert!(desk.decide(id, Decision::Accept).is_err());
    assert_eq!(now(waiting.outcome()), Outcome::Gone);
}

#[test]
fn a_dropped_call_settles_its_review() {
    let desk = desk();
    let seat = desk.join();
    let waiting = propose(&seat, "t", "", "x");
    let id = waiting.id();
    drop(waiting);
    assert_eq!(desk.review(id).unwrap().outcome, Some(Outcome::Gone));
}

#[test]
fn the_history_is_bounded_and_spares_what_waits() {
    let desk = desk();
    let seat = desk.join();
    let waits = propose(&seat, "first", "", "still here");
    for number in 0..80 {
        let review = propose(&seat, &format!("t{number}"), "", "x");
        desk.decide(review.id(), Decision::Reject).unwrap();
    }
    assert_eq!(desk.reviews().len(), 51);
    assert_eq!(desk.review(waits.id()).unwrap().outcome, None);
    let heavy = propose(&seat, "heavy", "", &"x".repeat(5 << 20));
    desk.decide(heavy.id(), Decision::Accept).unwrap();
    assert!(desk.review(heavy.id()).is_none(), "a decided change of 5 MiB is in the file, not in memory");
}

#[test]
fn private_files_are_never_told() {
    let desk = desk();
    let editor = EditorId(7);
    desk.select(editor, Some(selection("/w/a.txt", "x")));
    let mut events = desk.events();
    desk.select(editor, Some(selection("/w/.env", "KEY=1")));
    assert!(matches!(events.try_recv(), Ok(Event::SelectionChanged(_))));
    assert_eq!(desk.latest_selection().unwrap().path, PathBuf::from("/w/a.txt"));
    let mention = Mention { path: "/w/.env".into(), lines: None };
    assert_eq!(desk.mention(mention, None), Err(DeskError::Private));
    desk.diagnostics_changed(FileDiagnostics { path: "/w/.env".into(), diagnostics: vec![] });
    assert!(events.try_recv().is_err());
}

#[test]
fn an_equal_selection_is_no_event() {
    let desk = desk();
    let mut events = desk.events();
    desk.select(EditorId(7), Some(selection("/w/a", "x")));
    desk.select(EditorId(7), Some(selection("/w/a", "x")));
    assert!(events.try_recv().is_ok());
    assert!(events.try_recv().is_err());
}

#[test]
fn mentions_wait_for_a_client_in_order() {
    let desk = desk();
    let mention = |line| Mention { path: "/w/a".into(), lines: Some((line, line)) };
    assert_eq!(desk.mention(mention(1), None), Ok(0));
    assert_eq!(desk.mention(mention(2), None), Ok(0));
    let seat = desk.join();
    let mut events = desk.events();
    seat.ready();
    let mut lines = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Event::Mentioned(mention, to) = event {
            assert_eq!(to, Some(seat.id()));
            lines.push(mention.lines);
        }
    }
    assert_eq!(lines, [Some((1, 1)), Some((2, 2))]);
    assert_eq!(desk.mention(mention(3), None), Ok(1));
}

#[test]
fn the_last_folder_stays() {
    let desk = desk();
    assert!(desk.add_folder("/v".into()));
    assert!(!desk.add_folder("/v".into()));
    assert_eq!(desk.remove_folder(Path::new("/w")), Ok(true));
    assert!(matches!(desk.remove_folder(Path::new("/v")), Err(DeskError::LastFolder(_))));
}

#[test]
fn there_is_room_for_reviews_until_somebody_says_otherwise() {
    let desk = desk();
    assert!(desk.has_rooms());
    desk.set_rooms(false);
    assert!(!desk.has_rooms());
}

#[test]
fn a_remark_reaches_everyone_who_listens() {
    let desk = desk();
    let mut events = desk.events();
    desk.remark("look");
    assert!(matches!(events.try_recv(), Ok(Event::Remarked(words)) if &*words == "look"));
}

/// An editor that can do nothing; enough to be at a desk.
struct Plain;

impl Editor for Plain {
    fn name(&self) -> &str {
        "plain"
    }
    fn open(&self, request: crate::OpenRequest) -> crate::Answer<'_, crate::Opened> {
        Box::pin(std::future::ready(Err(crate::EditorError::NotFound(request.path))))
    }
    fn tabs(&self) -> crate::Answer<'_, Vec<crate::Tab>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
    fn close_tab(&self, _: String) -> crate::Answer<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }
    fn dirty(&self, _: PathBuf) -> crate::Answer<'_, Option<crate::Dirty>> {
        Box::pin(std::future::ready(Ok(None)))
    }
    fn save(&self, _: PathBuf) -> crate::Answer<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }
    fn content(&self, _: PathBuf) -> crate::Answer<'_, crate::Content> {
        Box::pin(std::future::ready(Ok(crate::Content::Missing)))
    }
}

/// Process 30 comes from 20 (an editor's terminal), which comes from 10; 40 comes from 10 alone.
fn lineage(pid: u32) -> Vec<u32> {
    match pid {
        30 => vec![30, 20, 10],
        40 => vec![40, 10],
        other => vec![other],
    }
}

#[test]
fn a_client_belongs_to_the_nearest_editor_it_was_started_from() {
    let desk = desk();
    desk.know_lineage(Box::new(lineage));
    let outer = desk.seat_editor_of(Arc::new(Plain), Some(10));
    let (inside, stray) = (desk.join(), desk.join());
    desk.introduce(inside.id(), None, Some(30));
    desk.introduce(stray.id(), None, Some(77));
    assert!(desk.serves(outer, inside.id()) && desk.serves(outer, stray.id()));
    let inner = desk.seat_editor_of(Arc::new(Plain), Some(20));
    let beside = desk.seat_editor_of(Arc::new(Plain), Some(99));
    assert!(desk.serves(inner, inside.id()), "an editor that comes later is found too");
    assert!(desk.serves(beside, stray.id()), "a client of nobody follows the focus");
    desk.select(inner, Some(selection("/w/inner", "i")));
    desk.select(beside, Some(selection("/w/beside", "b")));
    assert_eq!(desk.selection_for(inside.id()).unwrap().path, PathBuf::from("/w/inner"));
    desk.remove_editor(inner);
    assert!(desk.serves(beside, inside.id()), "an editor that went serves nobody");
}

#[test]
fn a_review_is_shown_in_one_editor_and_moves_when_that_goes() {
    let desk = desk();
    let (one, two) = (desk.seat_editor(Arc::new(Plain)), desk.seat_editor(Arc::new(Plain)));
    let seat = desk.join();
    let waiting = propose(&seat, "t", "a\n", "b\n");
    assert!(desk.claim_review(waiting.id(), one).is_none(), "the focus is elsewhere");
    assert!(desk.claim_review(waiting.id(), two).is_some());
    desk.focus(one);
    assert!(desk.claim_review(waiting.id(), one).is_none(), "it stays where it is shown");
    desk.remove_editor(two);
    assert!(desk.claim_review(waiting.id(), one).is_some());
    desk.decide(waiting.id(), Decision::Reject).unwrap();
    assert!(desk.claim_review(waiting.id(), one).is_none());
}

#[test]
fn folders_of_editors_come_and_go_with_them() {
    let desk = desk();
    let editor = desk.seat_editor(Arc::new(Plain));
    let mut events = desk.events();
    desk.set_editor_folders(editor, vec!["/w/inside".into(), "/".into()]);
    assert!(events.try_recv().is_err(), "nothing new");
    desk.set_editor_folders(editor, vec!["/v".into()]);
    assert!(matches!(events.try_recv(), Ok(Event::FoldersChanged)));
    assert_eq!(desk.folders(), [PathBuf::from("/w"), PathBuf::from("/v")]);
    desk.remove_editor(editor);
    assert_eq!(desk.folders(), [PathBuf::from("/w")]);
}
