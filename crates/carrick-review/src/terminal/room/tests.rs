//! The room's promises, without a terminal or a desk.

use std::time::SystemTime;

use carrick_core::Original;

use super::*;
use crate::terminal::key::Key;
use crate::terminal::source::{Contents, End, Size, Told};

fn entry(id: u64) -> Entry {
    Entry {
        id,
        path: format!("/w/{id}.rs").into(),
        client: "claude-code".into(),
        opened: SystemTime::now(),
        size: Size::Lines(2, 2),
        end: None,
    }
}

fn contents() -> Contents {
    Contents {
        original: Original::Text("1\n2\n3\n4\n5\n6\n7\n8\n9\n".into()),
        proposed: "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n".into(),
    }
}

fn press(room: &mut Room, keys: &str) {
    for key in keys.chars() {
        room.press(Key::Char(key));
    }
}

/// A room with these reviews, the first one on the screen and read.
fn room(ids: &[u64]) -> Room {
    let mut room = Room::new(Leaving::EndsServer, Vec::new());
    room.begin(Look {
        root: "/w".into(),
        entries: ids.iter().map(|id| entry(*id)).collect(),
        ..Look::default()
    });
    serve(&mut room);
    read(&mut room);
    room
}

/// Gives the room the contents it wishes for; the other wishes.
fn serve(room: &mut Room) -> Vec<Wish> {
    let mut rest = Vec::new();
    while let Some(wish) = room.wish() {
        match wish {
            Wish::Contents(id) => room.contents(id, Ok(contents())),
            other => rest.push(other),
        }
    }
    rest
}

fn read(room: &mut Room) {
    room.came_up = Instant::now().checked_sub(UNREAD).unwrap();
}

fn decision(room: &mut Room) -> Option<(u64, Decision)> {
    match serve(room).pop() {
        Some(Wish::Decide(id, decision)) => Some((id, decision)),
        _ => None,
    }
}

#[test]
fn accepting_takes_all_or_the_chosen_hunks() {
    let mut room = room(&[1]);
    press(&mut room, "a");
    assert!(matches!(decision(&mut room), Some((1, Decision::Accept))));
    press(&mut room, "n a");
    let Some((1, Decision::AcceptWith(text))) = decision(&mut room) else { panic!("not accepted") };
    assert_eq!(&*text, "1\ntwo\n3\n4\n5\n6\n7\n8\n9\n");
    press(&mut room, "p a");
    assert!(decision(&mut room).is_none());
    assert!(room.note.unwrap().words.contains("no hunk is chosen"));
}

#[test]
fn a_review_that_comes_up_by_itself_is_not_decided_unread() {
    let mut room = room(&[1, 2]);
    press(&mut room, "r");
    assert!(matches!(decision(&mut room), Some((1, Decision::Reject))));
    room.hear(Told::Ended(1, Some(End::Rejected)));
    serve(&mut room);
    assert_eq!(room.shown, Some(2));
    press(&mut room, "r");
    assert!(decision(&mut room).is_none(), "the second one was not read yet");
    read(&mut room);
    press(&mut room, "r");
    assert!(matches!(decision(&mut room), Some((2, Decision::Reject))));
}

#[test]
fn what_ends_elsewhere_goes_with_a_note_and_stays_decided() {
    let mut room = room(&[1]);
    room.hear(Told::Ended(1, Some(End::Closed)));
    assert_eq!((room.shown, room.waiting()), (None, 0));
    assert_eq!(room.note.as_ref().unwrap().words, "1.rs: closed by the agent");
    press(&mut room, "h");
    serve(&mut room);
    read(&mut room);
    press(&mut room, "a");
    assert!(decision(&mut room).is_none());
    press(&mut room, "w");
    assert!(matches!(serve(&mut room)[..], [Wish::Keep(..)]));
}

#[test]
fn edits_are_shown_accepted_and_never_lost() {
    let mut room = room(&[1]);
    press(&mut room, "e");
    assert!(matches!(serve(&mut room)[..], [Wish::Edit(1)]));
    room.edited(1, Ok("mine\n".into()));
    press(&mut room, "a");
    assert!(matches!(decision(&mut room), Some((1, Decision::AcceptWith(text))) if &*text == "mine\n"));
    room.refused(1, "settled already".into());
    room.hear(Told::Ended(1, Some(End::Gone)));
    assert!(matches!(serve(&mut room)[..], [Wish::Keep(..)]), "somebody was quicker: the work is kept");
}

#[test]
fn leaving_is_asked_about_only_when_it_ends_something() {
    let mut room = room(&[1]);
    press(&mut room, "q");
    assert!(serve(&mut room).is_empty());
    press(&mut room, "n");
    assert!(serve(&mut room).is_empty());
    press(&mut room, "qy");
    assert!(matches!(serve(&mut room)[..], [Wish::Leave]));
    room.leaving = Leaving::LeavesRoom;
    press(&mut room, "q");
    assert!(matches!(serve(&mut room)[..], [Wish::Leave]));
}

#[test]
fn hunks_are_walked_in_both_directions() {
    let mut room = room(&[1]);
    let here = |room: &Room| room.view().unwrap().hunk();
    assert_eq!(here(&room), Some(0));
    press(&mut room, "n");
    assert_eq!(here(&room), Some(1));
    press(&mut room, "n");
    assert_eq!(here(&room), Some(1));
    press(&mut room, "jp");
    assert_eq!(here(&room), Some(1), "first to the head of the hunk");
    press(&mut room, "p");
    assert_eq!(here(&room), Some(0));
    press(&mut room, "gn");
    assert_eq!(here(&room), Some(0), "from the beginning the first is the next");
}
