//! The person's editor in front, the built-in one behind it.
//!
//! An editor such as Neovim opens any file and knows no workspace. What an agent may see and open is checked here,
//! once for every such editor, and what it cannot do itself (read and write for agents, run code) the built-in does.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use carrick_core::{
    Answer, Content, Desk, Diagnose, Dirty, Editor, EditorError, Execute, Files, Format, Navigate,
    OpenRequest, Opened, PrivateList, Room, Service, Tab, Who,
};

use crate::headless::inside::Workspace;

/// See the module.
pub(crate) struct Fronted {
    front: Arc<dyn Editor>,
    back: Option<Arc<dyn Editor>>,
    /// The desk holds its editors; holding it as well would keep both for ever.
    desk: Weak<Desk>,
    private: PrivateList,
}

impl Fronted {
    pub(crate) fn new(desk: &Arc<Desk>, front: Arc<dyn Editor>) -> Self {
        let (back, private) = (desk.first_editor(), desk.private().clone());
        Self { front, back, desk: Arc::downgrade(desk), private }
    }

    fn back(&self) -> Option<&dyn Editor> {
        self.back.as_deref()
    }

    /// An agent opens what is in the workspace and not private.
    async fn check(&self, path: &Path) -> Result<(), EditorError> {
        let folders = self.desk.upgrade().map_or_else(Vec::new, |desk| desk.folders());
        let (private, path) = (self.private.clone(), path.to_owned());
        on_disk(move || Workspace::new(folders, private).for_agent(&path).map(|_| ())).await?
    }

    async fn public_tabs(&self) -> Result<Vec<Tab>, EditorError> {
        let (mut tabs, private) = (self.front.tabs().await?, self.private.clone());
        on_disk(move || {
            tabs.retain(|tab| !is_private(&private, &tab.path));
            tabs
        })
        .await
    }
}

/// A link and what it points to are two names of one file: either may be the private one.
pub(crate) fn is_private(private: &PrivateList, path: &Path) -> bool {
    private.covers(path) || path.canonicalize().is_ok_and(|real| private.covers(&real))
}

async fn on_disk<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Result<T, EditorError> {
    let done = tokio::task::spawn_blocking(job).await;
    done.map_err(|_| EditorError::Failed("the request was given up half-way: try again".into()))
}

impl Editor for Fronted {
    fn name(&self) -> &str {
        self.front.name()
    }

    fn open(&self, request: OpenRequest) -> Answer<'_, Opened> {
        Box::pin(async move {
            if request.who == Who::Agent {
                self.check(&request.path).await?;
            }
            self.front.open(request).await
        })
    }

    fn tabs(&self) -> Answer<'_, Vec<Tab>> {
        Box::pin(self.public_tabs())
    }

    fn close_tab(&self, name: String) -> Answer<'_, bool> {
        self.front.close_tab(name)
    }

    fn dirty(&self, path: PathBuf) -> Answer<'_, Option<Dirty>> {
        self.front.dirty(path)
    }

    fn save(&self, path: PathBuf) -> Answer<'_, bool> {
        self.front.save(path)
    }

    fn content(&self, path: PathBuf) -> Answer<'_, Content> {
        self.front.content(path)
    }

    fn diagnose(&self) -> Option<&dyn Diagnose> {
        self.front.diagnose().or_else(|| self.back()?.diagnose())
    }

    fn format(&self) -> Option<&dyn Format> {
        self.front.format().or_else(|| self.back()?.format())
    }

    fn execute(&self) -> Option<&dyn Execute> {
        self.front.execute().or_else(|| self.back()?.execute())
    }

    fn navigate(&self) -> Option<&dyn Navigate> {
        self.front.navigate().or_else(|| self.back()?.navigate())
    }

    fn services(&self) -> Answer<'_, Vec<Service>> {
        self.back.as_ref().map_or_else(|| self.front.services(), |back| back.services())
    }

    fn room(&self) -> Option<&dyn Room> {
        self.front.room()
    }

    fn files(&self) -> Option<&dyn Files> {
        self.front.files().or_else(|| self.back()?.files())
    }
}
