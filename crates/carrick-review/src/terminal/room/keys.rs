//! What each key does. [`KEYS`] is the help; `press` is the map.

use std::path::PathBuf;

use carrick_core::Decision;

use super::{Dialog, Leaving, Room, Shelf, Wish};
use crate::terminal::key::Key;

/// Every key with its meaning, as the help shows them.
pub(in super::super) const KEYS: &[(&str, &str)] = &[
    ("a", "accept; only the chosen hunks when some are off"),
    ("r", "reject"),
    ("space", "take the hunk at the cursor in or out"),
    ("e", "change the proposed contents in your editor, then look at them again"),
    ("u", "undo your choice of hunks and your changes"),
    ("n p", "next, previous hunk"),
    ("j k ↓ ↑", "down, up"),
    ("PageDown PageUp", "a page down, up"),
    ("g G", "to the beginning, to the end"),
    ("< >", "to the left, to the right in long lines"),
    ("Tab", "unified or side by side"),
    ("f", "fold or show the unchanged lines"),
    ("→ ←", "next, previous review"),
    ("h", "the history of this run, and back"),
    ("c", "copy the proposed contents (OSC 52)"),
    ("w", "write the proposed contents to a new file in the temporary folder"),
    ("Ctrl-L", "draw the screen anew"),
    ("q", "quit"),
];

const SIDEWAYS: usize = 8;

impl Room {
    /// A key was pressed.
    pub(in super::super) fn press(&mut self, key: Key) {
        if key == Key::Other {
            return;
        }
        if self.note.as_ref().is_some_and(|note| !note.loud) {
            self.note = None;
        }
        match self.dialog {
            Some(Dialog::Help) => self.dialog = None,
            Some(Dialog::Quit) => self.answer_quit(key),
            None => self.obey(key),
        }
    }

    fn answer_quit(&mut self, key: Key) {
        self.dialog = None;
        if matches!(key, Key::Char('y' | 'Y' | 'q') | Key::Ctrl('c')) {
            self.want(Wish::Leave);
        }
    }

    fn obey(&mut self, key: Key) {
        match key {
            Key::Char('a') => self.accept(),
            Key::Char('r') => self.reject(),
            Key::Char(' ') => self.toggle(),
            Key::Char('e') => self.edit(),
            Key::Char('u') => self.undo(),
            Key::Char('n') => self.step_hunk(true),
            Key::Char('p') => self.step_hunk(false),
            Key::Char('j') | Key::Down => self.step(1),
            Key::Char('k') | Key::Up => self.step(-1),
            Key::PageDown | Key::Ctrl('f') => self.step_page(1, 1),
            Key::PageUp | Key::Ctrl('b') => self.step_page(-1, 1),
            Key::Ctrl('d') => self.step_page(1, 2),
            Key::Ctrl('u') => self.step_page(-1, 2),
            Key::Char('g') | Key::Home => self.step(isize::MIN),
            Key::Char('G') | Key::End => self.step(isize::MAX),
            Key::Char('<') => self.sideways(false),
            Key::Char('>') => self.sideways(true),
            Key::Tab => self.switch_view(),
            Key::Char('f') => self.with_view(super::View::toggle_folds),
            Key::Right | Key::Char(']') => self.step_review(1),
            Key::Left | Key::Char('[') => self.step_review(-1),
            Key::Char('h') => self.switch_shelf(),
            Key::Char('c') => self.copy(),
            Key::Char('w') => self.write(),
            Key::Char('?') => self.dialog = Some(Dialog::Help),
            Key::Char('q') | Key::Ctrl('c') => self.quit(),
            Key::Ctrl('l') => self.want(Wish::Redraw),
            Key::Esc if self.shelf == Shelf::History => self.switch_shelf(),
            Key::Paste => self.say("pasted text decides nothing: type the key"),
            Key::Char(_) | Key::Ctrl(_) | Key::Esc | Key::Other => {}
        }
    }

    fn with_view(&mut self, change: impl FnOnce(&mut super::View)) {
        if let Some(view) = self.view_mut() {
            change(view);
        }
    }

    fn step(&mut self, by: isize) {
        self.with_view(|view| view.step(by));
    }

    fn step_page(&mut self, direction: isize, part: isize) {
        self.with_view(|view| {
            let height = isize::try_from(view.height).unwrap_or(isize::MAX);
            view.step(direction * (height / part).max(1));
        });
    }

    fn step_hunk(&mut self, forward: bool) {
        self.with_view(|view| {
            let Some(here) = view.hunk() else { return };
            let on_it = view.rows.get(view.cursor) == Some(&crate::terminal::change::Row::Head(here));
            // From a line before the hunk the next one is this one.
            let target = match (forward, on_it) {
                (true, false) if view.is_before(here) => Some(here),
                (true, _) => here.checked_add(1).filter(|next| *next < view.change.pieces.len()),
                (false, true) => here.checked_sub(1),
                (false, false) if view.is_before(here) => here.checked_sub(1),
                (false, false) => Some(here),
            };
            if let Some(target) = target {
                view.go_to_hunk(target);
            }
        });
    }

    fn sideways(&mut self, right: bool) {
        self.with_view(|view| {
            view.left = if right { view.left + SIDEWAYS } else { view.left.saturating_sub(SIDEWAYS) };
        });
    }

    fn switch_view(&mut self) {
        self.side_by_side = !self.side_by_side;
        let side_by_side = self.side_by_side;
        self.views.values_mut().for_each(|view| view.set_side_by_side(side_by_side));
    }

    fn step_review(&mut self, by: isize) {
        let listed: Vec<u64> = self.listed().iter().map(|entry| entry.id).collect();
        let here = listed.iter().position(|id| Some(*id) == self.shown).unwrap_or(0);
        let there = listed.get(here.saturating_add_signed(by)).copied();
        if there.is_some() && there != self.shown {
            self.show(there);
        }
    }

    fn switch_shelf(&mut self) {
        self.shelf = if self.shelf == Shelf::Waiting { Shelf::History } else { Shelf::Waiting };
        let first = self.listed().first().map(|entry| entry.id);
        self.show(first);
    }

    /// The review on the screen, if it can be decided; else says why not.
    fn decidable(&mut self) -> Option<u64> {
        let id = self.shown?;
        match self.entry_shown().and_then(|entry| entry.end) {
            Some(end) => self.say(format!("this one has ended: {}", end.words())),
            None if self.may_decide() => return Some(id),
            None => self.say("this one came up just now: look first"),
        }
        None
    }

    fn accept(&mut self) {
        let Some(id) = self.decidable() else { return };
        let Some(view) = self.views.get(&id) else { return };
        let (chosen, all) = (view.change.chosen(), view.change.pieces.len());
        let decision = match (chosen, view.edited()) {
            (0, _) if all > 0 => return self.say("no hunk is chosen: space takes one in, r rejects"),
            (chosen, _) if chosen < all => Decision::AcceptWith(view.change.assembled().into()),
            (_, Some(edited)) => Decision::AcceptWith(edited.clone()),
            (_, None) => Decision::Accept,
        };
        let how = match (chosen < all, view.is_edited()) {
            (true, _) => format!("accepted {chosen} of {all} hunks of"),
            (false, true) => "accepted with your changes:".into(),
            (false, false) => "accepted".into(),
        };
        self.decide(id, decision, &how);
    }

    fn reject(&mut self) {
        if let Some(id) = self.decidable() {
            self.decide(id, Decision::Reject, "rejected");
        }
    }

    fn decide(&mut self, id: u64, decision: Decision, how: &str) {
        let path = self.entry(id).map_or_else(String::new, |entry| self.short(&entry.path));
        self.deciding = Some(id);
        self.last = Some(format!("{how} {path}"));
        self.want(Wish::Decide(id, decision));
    }

    fn toggle(&mut self) {
        let waits = self.entry_shown().is_some_and(|entry| entry.end.is_none());
        let toggled = self.view_mut().filter(|_| waits).and_then(|view| {
            let hunk = view.hunk()?;
            Some(view.change.toggle(hunk))
        });
        if toggled == Some(false) {
            self.say("what is there now is not text: it can only be taken or left whole");
        }
    }

    fn edit(&mut self) {
        let waits = self.entry_shown().is_some_and(|entry| entry.end.is_none());
        match self.shown {
            Some(id) if waits && self.views.contains_key(&id) => self.want(Wish::Edit(id)),
            Some(_) => self.say("this one has ended: w writes it to a file"),
            None => {}
        }
    }

    fn undo(&mut self) {
        if self.view_mut().is_some_and(super::View::undo) {
            self.say("as it was proposed");
        }
    }

    fn copy(&mut self) {
        if let Some(view) = self.view() {
            self.want(Wish::Copy(view.proposed().clone()));
        }
    }

    fn write(&mut self) {
        if let (Some(view), Some(entry)) = (self.view(), self.entry_shown()) {
            let (path, text): (PathBuf, _) = (entry.path.clone(), view.proposed().clone());
            self.want(Wish::Keep(path, text, "written to"));
        }
    }

    /// Leaving a server that others wait for is asked about; leaving a room is not.
    fn quit(&mut self) {
        if self.waiting() > 0 && self.leaving == Leaving::EndsServer {
            self.dialog = Some(Dialog::Quit);
        } else {
            self.want(Wish::Leave);
        }
    }
}
