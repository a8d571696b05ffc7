//! What the room hears: from the desk, and about its own wishes.

use std::path::Path;
use std::sync::Arc;

use super::{Dialog, Room, Shelf, View, Wish};
use crate::terminal::source::{Contents, End, Entry, Refused, Size, Told};

impl Room {
    /// Something happened on the desk. `Over` is not for the room alone and does nothing here.
    pub(in super::super) fn hear(&mut self, told: Told) {
        match told {
            Told::Entry(entry) => self.heard_of(entry),
            Told::Ended(id, end) => self.ended(id, end),
            Told::Status(status) => self.status = status,
            Told::Remark(words) => self.say_loudly(words),
            Told::Anew => self.want(Wish::Look),
            Told::Over => {}
        }
    }

    fn heard_of(&mut self, entry: Entry) {
        match self.entries.iter_mut().find(|known| known.id == entry.id) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
        self.choose_shown();
    }

    fn ended(&mut self, id: u64, end: Option<End>) {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) else { return };
        if entry.end.is_some() {
            return;
        }
        entry.end = Some(end.unwrap_or(End::Closed));
        let (end, path) = (end.unwrap_or(End::Closed), entry.path.clone());
        let ours = self.deciding.take_if(|deciding| *deciding == id).is_some();
        self.keep_edits(id, &path, ours && end == End::Accepted);
        let name = self.short(&path);
        if ours {
            self.say(self.last.clone().unwrap_or_default());
        } else {
            let elsewhere = if matches!(end, End::Accepted | End::Rejected) { " elsewhere" } else { "" };
            let words = format!("{name}: {}{elsewhere}", end.words());
            self.last = Some(words.clone());
            self.say_loudly(words);
        }
        if self.shelf == Shelf::Waiting {
            self.choose_shown();
        }
        if self.dialog == Some(Dialog::Quit) && self.waiting() == 0 {
            // The person wanted to go, and what they were asked about has ended.
            self.want(Wish::Leave);
        }
    }

    /// Work in the person's own words is never thrown away because somebody else was quicker.
    fn keep_edits(&mut self, id: u64, path: &Path, accepted: bool) {
        let edited = self.views.get(&id).and_then(|view| view.edited().cloned());
        if let (Some(edited), false) = (edited, accepted) {
            self.want(Wish::Keep(path.into(), edited, "your changes are kept in"));
        }
    }

    /// The contents that were wished for.
    pub(in super::super) fn contents(&mut self, id: u64, contents: Result<Contents, Refused>) {
        let side_by_side = self.side_by_side;
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) else { return };
        match contents {
            Ok(contents) => {
                let view = View::new(contents, &entry.path, side_by_side);
                if entry.size == Size::Unknown {
                    let (added, removed) = view.change.counts();
                    entry.size = Size::Lines(added, removed);
                }
                self.views.insert(id, view);
            }
            Err(why) => self.say_loudly(why),
        }
    }

    /// A decision could not be sent, or came too late.
    pub(in super::super) fn refused(&mut self, id: u64, why: Refused) {
        self.deciding.take_if(|deciding| *deciding == id);
        self.last = None;
        self.say_loudly(why);
    }

    /// The person comes back from their editor.
    pub(in super::super) fn edited(&mut self, id: u64, outcome: Result<Arc<str>, String>) {
        let still_there = self.entry(id).is_some_and(|entry| entry.end.is_none());
        match (outcome, self.views.get_mut(&id)) {
            (Ok(contents), Some(view)) if still_there => {
                view.edit(contents);
                let words = if view.is_edited() {
                    "this is your version: a accepts it, u undoes it"
                } else {
                    "nothing was changed"
                };
                self.say(words);
            }
            (Ok(contents), _) => {
                let path = self.entry(id).map(|entry| entry.path.clone()).unwrap_or_default();
                self.want(Wish::Keep(path, contents, "it has ended meanwhile; your changes are kept in"));
            }
            (Err(why), _) => self.say_loudly(why),
        }
    }

    /// What the person's editor should open.
    pub(in super::super) fn to_edit(&self, id: u64) -> Option<(std::path::PathBuf, Arc<str>)> {
        let (entry, view) = (self.entry(id)?, self.views.get(&id)?);
        // Hunks that are off are off in the editor too.
        let all = view.change.chosen() == view.change.pieces.len();
        let text = if all { Arc::clone(view.proposed()) } else { view.change.assembled().into() };
        Some((entry.path.clone(), text))
    }

    /// A path as it is shorter to read.
    pub(in super::super) fn short(&self, path: &Path) -> String {
        match path.strip_prefix(&self.root) {
            Ok(inside) if !inside.as_os_str().is_empty() => inside.display().to_string(),
            _ => path.display().to_string(),
        }
    }
}
