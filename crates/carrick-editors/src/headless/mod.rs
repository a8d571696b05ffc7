//! The built-in editor: files, tabs and a tree, without a screen.
//!
//! It has no unsaved state: what is open is what is on disk. Nothing is read, walked or watched before it is asked
//! for, and everything that touches the disk runs on a thread of its own, for the runtime has only one.

mod files;
mod find_text;
pub(crate) mod inside;
mod kernel;
mod language;
mod look;
mod lsp;
mod tabs;
mod tree;
mod write;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use carrick_core::{
    Answer, Content, Desk, Diagnose, Dirty, Editor, EditorError, EditorId, Execute, Files, Format, Navigate,
    OpenRequest, Opened, PrivateList, Range, Selection, Service, Tab, Who,
};

use inside::Workspace;
pub use kernel::{CODE_TO_ALLOW, Choice, Consent, Places};
use look::{Look, MOST_HELD, Stamp, Wish, bytes_of, look};
use lsp::Languages;
pub use lsp::{Formatter, LanguageServer, Table};
use tabs::{News, OpenTab, Tabs};
use tree::SharedTree;

/// The built-in editor.
pub struct Headless {
    /// The desk holds its editors; holding it as well would keep both for ever.
    desk: Weak<Desk>,
    private: PrivateList,
    id: OnceLock<EditorId>,
    tabs: Mutex<Tabs>,
    tree: SharedTree,
    notebooks: OnceLock<kernel::Notebooks>,
    languages: Arc<Languages>,
}

/// What a built-in editor has besides files.
#[derive(Clone, Debug, Default)]
pub struct Equipment {
    /// The language servers and formatters that it may start.
    pub languages: Table,
}

impl Equipment {
    /// The same with these language servers and formatters.
    #[must_use]
    pub fn with_languages(mut self, languages: Table) -> Self {
        self.languages = languages;
        self
    }
}

impl Headless {
    /// Brings a built-in editor to the desk that has files and nothing else.
    #[must_use]
    pub fn seat(desk: &Arc<Desk>) -> Arc<Self> {
        Self::seat_with(desk, Equipment::default())
    }

    /// Brings a built-in editor with its equipment to the desk.
    #[must_use]
    pub fn seat_with(desk: &Arc<Desk>, equipment: Equipment) -> Arc<Self> {
        let editor = Arc::new(Self {
            desk: Arc::downgrade(desk),
            private: desk.private().clone(),
            id: OnceLock::new(),
            tabs: Mutex::default(),
            tree: SharedTree::default(),
            notebooks: OnceLock::new(),
            languages: Languages::new(equipment.languages, Arc::downgrade(desk)),
        });
        let id = desk.seat_editor(Arc::clone(&editor) as Arc<dyn Editor>);
        editor.id.get_or_init(|| id);
        editor
    }

    /// Its number at the desk.
    #[must_use]
    pub fn id(&self) -> Option<EditorId> {
        self.id.get().copied()
    }

    /// Ends every program that it started, and waits until they are gone.
    pub async fn close_programs(&self) {
        self.languages.close().await;
    }

    /// The person selects something: the file is opened if need be and comes to the front. The range is cut to what
    /// the file has. Of a private file nothing is told to the desk.
    ///
    /// # Errors
    /// The file cannot be read or is not text.
    pub async fn select(&self, path: PathBuf, range: Range) -> Result<Selection, EditorError> {
        let request = OpenRequest { range: Some(range), ..OpenRequest::new(path, Who::Person) };
        let look = self.look(request).await?;
        let path = look.place.path.clone();
        let (range, text) = look.selected.clone().ok_or_else(|| EditorError::NotText(path.clone()))?;
        self.change(|tabs| tabs.show(OpenTab::new(look, false), true));
        Ok(Selection { path, text, range })
    }

    /// The person closes a file, private or not; false when it is not open.
    pub fn close(&self, path: &Path) -> bool {
        self.change(|tabs| tabs.close(path))
    }

    fn tree(&self) -> SharedTree {
        self.tree.clone()
    }

    async fn look(&self, request: OpenRequest) -> Result<Look, EditorError> {
        self.on_disk(move |workspace| {
            let place = match request.who {
                Who::Person => workspace.for_person(&request.path)?,
                Who::Agent => workspace.for_agent(&request.path)?,
            };
            look(place, &Wish::of(request))
        })
        .await
    }

    async fn show(&self, request: OpenRequest) -> Result<Opened, EditorError> {
        let (preview, focus) = (request.preview, request.focus);
        let look = self.look(request).await?;
        let opened = Opened {
            path: look.place.path.clone(),
            language: language::language(&look.place.path).into(),
            line_count: look.line_count,
            selected: look.selected.as_ref().map(|(range, _)| *range),
            start_missing: look.start_missing,
            end_missing: look.end_missing,
        };
        self.change(|tabs| tabs.show(OpenTab::new(look, preview), focus));
        Ok(opened)
    }

    /// Changes the tabs and tells the desk while the lock is held, so that the desk hears changes in their order.
    fn change<T>(&self, change: impl FnOnce(&mut Tabs) -> T) -> T {
        let mut tabs = self.lock_tabs();
        let done = change(&mut tabs);
        if let (Some(desk), Some(id)) = (self.desk.upgrade(), self.id()) {
            desk.select(id, tabs.selection());
            desk.tabs_changed(id);
        }
        done
    }

    // Every change of the tabs is whole before anything after it could panic.
    fn lock_tabs(&self) -> MutexGuard<'_, Tabs> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings line counts up to date with the disk, and hides what has become a way to a private file.
    async fn refresh(&self) -> Result<(), EditorError> {
        let known: Vec<_> =
            self.lock_tabs().all().iter().map(|tab| (tab.path.clone(), tab.stamp())).collect();
        let news = self.on_disk(move |workspace| {
            let news = known.into_iter().map(|(path, stamp)| news_of(workspace, path, stamp));
            Ok(news.collect::<Vec<_>>())
        });
        let news = news.await?;
        let mut tabs = self.lock_tabs();
        let before = tabs.selection();
        tabs.learn(news);
        if let (true, Some(desk), Some(id)) = (before != tabs.selection(), self.desk.upgrade(), self.id()) {
            desk.select(id, tabs.selection());
        }
        Ok(())
    }

    /// Runs a job that touches the disk on a thread where waiting holds nobody up.
    async fn on_disk<T, J>(&self, job: J) -> Result<T, EditorError>
    where
        T: Send + 'static,
        J: FnOnce(&Workspace) -> Result<T, EditorError> + Send + 'static,
    {
        let gone = || EditorError::Failed("the desk of this workspace is closed".into());
        let folders = self.desk.upgrade().ok_or_else(gone)?.folders();
        let private = self.private.clone();
        let job = tokio::task::spawn_blocking(move || job(&Workspace::new(folders, private)));
        job.await.unwrap_or_else(|_| {
            Err(EditorError::Failed("the request was given up half-way: try again".into()))
        })
    }
}

impl Editor for Headless {
    fn name(&self) -> &str {
        "carrick"
    }

    fn open(&self, request: OpenRequest) -> Answer<'_, Opened> {
        Box::pin(self.show(request))
    }

    fn tabs(&self) -> Answer<'_, Vec<Tab>> {
        Box::pin(async {
            self.refresh().await?;
            Ok(self.lock_tabs().shown())
        })
    }

    fn close_tab(&self, name: String) -> Answer<'_, bool> {
        let meant = self.lock_tabs().named(&name);
        let closed = meant.is_some_and(|path| self.close(&path));
        Box::pin(std::future::ready(Ok(closed)))
    }

    fn dirty(&self, path: PathBuf) -> Answer<'_, Option<Dirty>> {
        let is_open = self.lock_tabs().has(&path);
        let state = is_open.then_some(Dirty { is_dirty: false, is_untitled: false });
        Box::pin(std::future::ready(Ok(state)))
    }

    fn save(&self, path: PathBuf) -> Answer<'_, bool> {
        let is_open = self.lock_tabs().has(&path);
        Box::pin(std::future::ready(Ok(is_open)))
    }

    fn content(&self, path: PathBuf) -> Answer<'_, Content> {
        Box::pin(self.on_disk(move |workspace| {
            let place = match workspace.for_person(&path) {
                Err(EditorError::NotFound(_)) => return Ok(Content::Missing),
                place => place?,
            };
            let text = String::from_utf8(bytes_of(&place, MOST_HELD)?);
            Ok(text.map_or(Content::NotText, |text| Content::Text(text.into())))
        }))
    }

    fn diagnose(&self) -> Option<&dyn Diagnose> {
        Some(self)
    }

    fn format(&self) -> Option<&dyn Format> {
        self.languages.can_format().then_some(self as &dyn Format)
    }

    fn navigate(&self) -> Option<&dyn Navigate> {
        Some(self)
    }

    fn services(&self) -> Answer<'_, Vec<Service>> {
        let (languages, kernel) = (Arc::clone(&self.languages), self.kernel_service());
        Box::pin(self.on_disk(move |_| Ok(languages.services(kernel))))
    }

    fn execute(&self) -> Option<&dyn Execute> {
        self.executes()
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(self)
    }
}

fn news_of(workspace: &Workspace, path: PathBuf, known: Stamp) -> News {
    let place = workspace.for_person(&path);
    let private = place.as_ref().is_ok_and(|place| place.private);
    let count = |real: &Path| -> io::Result<(Stamp, u32)> { Ok((Stamp::at(real)?, look::line_count(real)?)) };
    let changed = |real: &Path| Stamp::at(real).is_ok_and(|now| now != known);
    let real = place.ok().map(|place| place.real).filter(|real| changed(real));
    News { counted: real.and_then(|real| count(&real).ok()), path, private }
}

#[cfg(test)]
mod tests;
