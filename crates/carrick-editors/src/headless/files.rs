//! Reading, writing and listing the workspace for agents that ask for it directly.

use std::path::Path;

use carrick_core::{Answer, EditorError, Files, WorkspaceInfo};

use super::Headless;
use super::inside::{Place, is_vault};
use super::look::bytes_of;
use super::write::write;

/// The most that is read at once: as much as one message may hold.
const MOST: u64 = 64 << 20;

impl Files for Headless {
    fn read(&self, path: &Path) -> Answer<'_, String> {
        let path = path.to_path_buf();
        Box::pin(self.on_disk(move |workspace| text_of(&workspace.for_reading(&path)?)))
    }

    fn write(&self, path: &Path, contents: String) -> Answer<'_, ()> {
        let (path, tree) = (path.to_path_buf(), self.tree());
        Box::pin(self.on_disk(move |workspace| {
            let place = workspace.for_writing(&path)?;
            write(&place, contents.as_bytes())?;
            // The watcher would say so too, but not before an agent's next question.
            tree.lock().touch(&place.real);
            Ok(())
        }))
    }

    fn list(&self, pattern: Option<String>) -> Answer<'_, Vec<String>> {
        let tree = self.tree();
        Box::pin(self.on_disk(move |workspace| tree.lock().list(workspace, pattern.as_deref())))
    }

    fn info(&self) -> Answer<'_, WorkspaceInfo> {
        let tree = self.tree();
        Box::pin(self.on_disk(move |workspace| {
            let no_folder = || EditorError::Failed("the workspace has no folder".into());
            let path = workspace.folders.first().ok_or_else(no_folder)?.path.clone();
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            let file_count = tree.lock().count(workspace);
            Ok(WorkspaceInfo { name, is_vault: is_vault(&path), path, file_count })
        }))
    }
}

fn text_of(place: &Place) -> Result<String, EditorError> {
    String::from_utf8(bytes_of(place, MOST)?).map_err(|_| EditorError::NotText(place.path.clone()))
}
