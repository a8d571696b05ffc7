//! The tab line: which files are open, which one is in front, and what each remembers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carrick_core::{Range, Selection, Tab};

use super::language::language;
use super::look::{Look, Stamp};

/// Tabs kept at once. The oldest that is not in front goes: no person looks at so many, but an agent may open them.
const MOST: usize = 512;

/// One open file.
#[derive(Clone, Debug)]
pub(super) struct OpenTab {
    pub(super) path: PathBuf,
    real: PathBuf,
    private: bool,
    stamp: Stamp,
    line_count: u32,
    preview: bool,
    range: Range,
    text: Arc<str>,
}

/// What is known anew about an open file.
pub(super) struct News {
    pub(super) path: PathBuf,
    pub(super) private: bool,
    pub(super) counted: Option<(Stamp, u32)>,
}

/// All open files.
#[derive(Debug, Default)]
pub(super) struct Tabs {
    open: Vec<OpenTab>,
    /// The path of the tab in front; there is one whenever any is open.
    front: Option<PathBuf>,
}

impl OpenTab {
    /// Without a selection the cursor stands at the beginning.
    pub(super) fn new(look: Look, preview: bool) -> Self {
        let Look { place, stamp, line_count, selected, .. } = look;
        let (range, text) = selected.unwrap_or_default();
        let (path, real, private) = (place.path, place.real, place.private);
        Self { path, real, private, stamp, line_count, preview, range, text }
    }

    pub(super) fn stamp(&self) -> Stamp {
        self.stamp
    }

    fn selection(&self) -> Selection {
        Selection { path: self.path.clone(), text: Arc::clone(&self.text), range: self.range }
    }

    fn label(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn shown(&self, is_active: bool) -> Tab {
        Tab {
            path: self.path.clone(),
            label: self.label(),
            language: language(&self.path).into(),
            line_count: self.line_count,
            is_active,
            is_dirty: false,
            is_pinned: false,
            is_preview: self.preview,
            is_untitled: false,
            group: 0,
            is_group_active: true,
            selection: Some(self.range),
        }
    }
}

impl Tabs {
    /// Opens a tab or brings the one of this file up to date; the first one comes to the front in any case.
    pub(super) fn show(&mut self, mut tab: OpenTab, focus: bool) {
        if focus || self.open.is_empty() {
            self.front = Some(tab.path.clone());
        }
        if let Some(known) = self.open.iter_mut().find(|known| known.path == tab.path) {
            // What was opened to stay does not become a preview again.
            tab.preview &= known.preview;
            *known = tab;
            return;
        }
        match self.open.iter_mut().find(|known| known.preview && tab.preview) {
            Some(preview) => {
                let come = tab.path.clone();
                let gone = std::mem::replace(preview, tab).path;
                self.replace_front(&gone, &come);
            }
            None => self.open.push(tab),
        }
        self.make_room();
    }

    /// The selection of the tab in front, for the desk: none when that file is private.
    pub(super) fn selection(&self) -> Option<Selection> {
        let front = self.front.as_ref()?;
        self.open.iter().find(|tab| tab.path == *front && !tab.private).map(OpenTab::selection)
    }

    /// The tabs that may be told of.
    pub(super) fn shown(&self) -> Vec<Tab> {
        let public = self.open.iter().filter(|tab| !tab.private);
        public.map(|tab| tab.shown(self.front.as_ref() == Some(&tab.path))).collect()
    }

    pub(super) fn all(&self) -> &[OpenTab] {
        &self.open
    }

    /// True when this file is open and may be told of.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.open.iter().any(|tab| !tab.private && (tab.path == path || tab.real == path))
    }

    /// The path of the tab that an agent calls by its path or, failing that, by its label.
    pub(super) fn named(&self, name: &str) -> Option<PathBuf> {
        let public = || self.open.iter().filter(|tab| !tab.private);
        let by_path = public().find(|tab| tab.path.as_os_str() == name || tab.real.as_os_str() == name);
        // Of two files with one label, the one in front is meant.
        let in_front = || public().find(|tab| tab.label() == name && self.front.as_ref() == Some(&tab.path));
        let by_label = || public().find(|tab| tab.label() == name);
        by_path.or_else(in_front).or_else(by_label).map(|tab| tab.path.clone())
    }

    /// Closes the tab of this file; its right neighbour comes to the front, or else the left one.
    pub(super) fn close(&mut self, path: &Path) -> bool {
        let Some(at) = self.open.iter().position(|tab| tab.path == path || tab.real == path) else {
            return false;
        };
        let closed = self.open.remove(at);
        if self.front.as_ref() == Some(&closed.path) {
            let neighbour = self.open.get(at).or_else(|| self.open.last());
            self.front = neighbour.map(|tab| tab.path.clone());
        }
        true
    }

    /// Takes over what changed on disk. A tab that was private stays so: its selection came from a private file.
    pub(super) fn learn(&mut self, news: Vec<News>) {
        for news in news {
            let Some(tab) = self.open.iter_mut().find(|tab| tab.path == news.path) else { continue };
            tab.private |= news.private;
            if let Some((stamp, line_count)) = news.counted {
                (tab.stamp, tab.line_count) = (stamp, line_count);
            }
        }
    }

    fn replace_front(&mut self, gone: &Path, come: &Path) {
        if self.front.as_deref() == Some(gone) {
            self.front = Some(come.into());
        }
    }

    fn make_room(&mut self) {
        if self.open.len() > MOST {
            let oldest = self.open.iter().position(|tab| self.front.as_ref() != Some(&tab.path));
            oldest.map(|at| self.open.remove(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::inside::Place;
    use super::*;

    fn tab(path: &str, preview: bool) -> OpenTab {
        let place = Place { path: path.into(), real: path.into(), private: path.ends_with(".env") };
        let selected = Some((Range::default(), Arc::from(path)));
        let stamp = Stamp::default();
        OpenTab::new(
            Look { place, stamp, line_count: 1, selected, start_missing: false, end_missing: false },
            preview,
        )
    }

    fn tabs(paths: &[&str]) -> Tabs {
        let mut tabs = Tabs::default();
        paths.iter().for_each(|path| tabs.show(tab(path, false), true));
        tabs
    }

    fn front(tabs: &Tabs) -> Option<String> {
        tabs.selection().map(|selection| selection.text.to_string())
    }

    #[test]
    fn the_neighbour_of_a_closed_tab_comes_to_the_front() {
        let mut tabs = tabs(&["/a", "/b", "/c"]);
        tabs.show(tab("/b", false), true);
        assert!(tabs.close(Path::new("/b")));
        assert_eq!(front(&tabs).unwrap(), "/c");
        assert!(tabs.close(Path::new("/c")));
        assert_eq!(front(&tabs).unwrap(), "/a");
        assert!(tabs.close(Path::new("/a")));
        assert_eq!(front(&tabs), None);
        assert!(!tabs.close(Path::new("/a")));
    }

    #[test]
    fn a_preview_gives_way_to_the_next() {
        let mut tabs = tabs(&["/a"]);
        tabs.show(tab("/b", true), true);
        tabs.show(tab("/c", true), false);
        let labels = |tabs: &Tabs| tabs.shown().iter().map(|tab| tab.label.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&tabs), ["a", "c"]);
        assert_eq!(front(&tabs).unwrap(), "/c", "it took the place of the one in front");
        tabs.show(tab("/c", false), true);
        tabs.show(tab("/d", true), true);
        assert_eq!(labels(&tabs), ["a", "c", "d"]);
        tabs.show(tab("/a", true), true);
        assert!(!tabs.shown()[0].is_preview);
    }

    #[test]
    fn without_focus_the_front_stays() {
        let mut tabs = tabs(&["/a"]);
        tabs.show(tab("/b", false), false);
        assert_eq!(front(&tabs).unwrap(), "/a");
    }

    #[test]
    fn a_private_tab_is_nowhere() {
        let mut tabs = tabs(&["/a", "/.env"]);
        assert_eq!(front(&tabs), None);
        assert_eq!(tabs.shown().len(), 1);
        assert!(!tabs.shown()[0].is_active);
        assert_eq!(tabs.named(".env"), None);
        assert!(!tabs.has(Path::new("/.env")));
        assert!(tabs.close(Path::new("/.env")));
        assert_eq!(front(&tabs).unwrap(), "/a");
    }

    #[test]
    fn a_name_is_a_path_before_it_is_a_label() {
        let tabs = tabs(&["/x/a", "/y/a", "/z"]);
        assert_eq!(tabs.named("/y/a"), Some("/y/a".into()));
        assert_eq!(tabs.named("a"), Some("/x/a".into()));
        assert_eq!(tabs.named("b"), None);
    }

    #[test]
    fn the_line_is_bounded() {
        let mut tabs = tabs(&["/first"]);
        (0..MOST + 10).for_each(|number| tabs.show(tab(&format!("/{number}"), false), false));
        assert_eq!(tabs.all().len(), MOST);
        assert_eq!(front(&tabs).unwrap(), "/first");
    }
}
