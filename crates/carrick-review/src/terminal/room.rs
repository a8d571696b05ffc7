//! The state of the room: which reviews there are, which one is looked at, what was done to it. No terminal, no desk:
//! keys and news come in, wishes go out.

pub(super) mod keys;
mod news;
mod view;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carrick_core::Decision;

use super::source::{Entry, Look, Status};
pub(super) use view::View;

/// A review that came to the screen by itself cannot be decided for this long: a key that was meant for the one before
/// must not decide it unread.
pub(super) const UNREAD: Duration = Duration::from_millis(400);

/// What the room wants from the world.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    /// The contents of a review.
    Contents(u64),
    /// A decision, to be sent.
    Decide(u64, Decision),
    /// The contents in the person's editor.
    Edit(u64),
    /// A text in the clipboard.
    Copy(Arc<str>),
    /// A text in a file of its own, named after this one; and why it is kept.
    Keep(PathBuf, Arc<str>, &'static str),
    /// Everything, once more.
    Look,
    /// To be drawn from nothing: something else has written on the screen.
    Redraw,
    /// The end.
    Leave,
}

/// What leaving means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The server ends with the room.
    EndsServer,
    /// The server goes on without it.
    LeavesRoom,
}

/// Which reviews are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shelf {
    /// Those that wait.
    Waiting,
    /// Those that have ended.
    History,
}

/// What lies over the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialog {
    Help,
    /// Quit although something waits?
    Quit,
}

/// A line for the person, until the next key.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) words: String,
    /// It stays until another note comes.
    pub(super) loud: bool,
}

pub(super) struct Room {
    pub(super) root: PathBuf,
    pub(super) status: Status,
    pub(super) entries: Vec<Entry>,
    pub(super) shelf: Shelf,
    pub(super) shown: Option<u64>,
    /// What has been looked at; of those that have ended only the one on the screen.
    pub(super) views: BTreeMap<u64, View>,
    pub(super) dialog: Option<Dialog>,
    pub(super) note: Option<Note>,
    pub(super) leaving: Leaving,
    pub(super) side_by_side: bool,
    /// Commands worth knowing, for when nothing waits.
    pub(super) hints: Vec<(String, String)>,
    /// The decision that is on its way, so that its news is not news to the person.
    deciding: Option<u64>,
    /// The last things that were decided here, to be read when nothing waits.
    last: Option<String>,
    came_up: Instant,
    wishes: VecDeque<Wish>,
}

impl Room {
    pub(super) fn new(leaving: Leaving, hints: Vec<(String, String)>) -> Self {
        Self {
            root: PathBuf::new(),
            status: Status::default(),
            entries: Vec::new(),
            shelf: Shelf::Waiting,
            shown: None,
            views: BTreeMap::new(),
            dialog: None,
            note: None,
            leaving,
            side_by_side: false,
            hints,
            deciding: None,
            last: None,
            came_up: Instant::now(),
            wishes: VecDeque::new(),
        }
    }

    /// How things stand, at the beginning or anew.
    pub(super) fn begin(&mut self, look: Look) {
        (self.root, self.entries, self.status) = (look.root, look.entries, look.status);
        self.views.retain(|id, _| self.entries.iter().any(|entry| entry.id == *id));
        self.choose_shown();
    }

    /// The next wish.
    pub(super) fn wish(&mut self) -> Option<Wish> {
        self.wishes.pop_front()
    }

    fn want(&mut self, wish: Wish) {
        self.wishes.push_back(wish);
    }

    pub(super) fn say(&mut self, words: impl Into<String>) {
        self.note = Some(Note { words: words.into(), loud: false });
    }

    pub(super) fn say_loudly(&mut self, words: impl Into<String>) {
        self.note = Some(Note { words: words.into(), loud: true });
    }

    /// The reviews on the shelf, in the order in which they are listed.
    pub(super) fn listed(&self) -> Vec<&Entry> {
        match self.shelf {
            Shelf::Waiting => self.entries.iter().filter(|entry| entry.end.is_none()).collect(),
            Shelf::History => self.entries.iter().rev().filter(|entry| entry.end.is_some()).collect(),
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.entries.iter().filter(|entry| entry.end.is_none()).count()
    }

    pub(super) fn entry(&self, id: u64) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    pub(super) fn entry_shown(&self) -> Option<&Entry> {
        self.entry(self.shown?)
    }

    pub(super) fn view(&self) -> Option<&View> {
        self.views.get(&self.shown?)
    }

    pub(super) fn view_mut(&mut self) -> Option<&mut View> {
        self.views.get_mut(&self.shown?)
    }

    pub(super) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// True when the review on the screen can be decided now.
    pub(super) fn may_decide(&self) -> bool {
        let waits = self.entry_shown().is_some_and(|entry| entry.end.is_none());
        waits && self.view().is_some() && self.came_up.elapsed() >= UNREAD
    }

    /// When that changes by itself.
    pub(super) fn next_change(&self) -> Option<Instant> {
        let moment = self.came_up + UNREAD;
        (self.view().is_some() && moment > Instant::now()).then_some(moment)
    }

    /// Shows what is on the shelf: the same as before while it is there, else its neighbour.
    fn choose_shown(&mut self) {
        let listed: Vec<u64> = self.listed().iter().map(|entry| entry.id).collect();
        match self.shown {
            Some(id) if listed.contains(&id) => {}
            Some(id) => {
                let next = listed.iter().copied().find(|other| *other > id).or(listed.last().copied());
                self.come_up(next);
            }
            None => self.come_up(listed.first().copied()),
        }
    }

    /// Shows a review that the person did not choose just now.
    fn come_up(&mut self, id: Option<u64>) {
        self.came_up = Instant::now();
        self.show(id);
    }

    fn show(&mut self, id: Option<u64>) {
        self.shown = id;
        let ended = |id: &u64| self.entries.iter().any(|entry| entry.id == *id && entry.end.is_some());
        self.views.retain(|other, _| Some(*other) == id || !ended(other));
        if let Some(id) = id.filter(|id| !self.views.contains_key(id)) {
            self.want(Wish::Contents(id));
        }
    }
}

#[cfg(test)]
mod tests;
