//! What is wrong with files, as they are at the moment of the answer.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use carrick_core::{Answer, Diagnose, Diagnostic, EditorError, FileDiagnostics};
use futures_util::future::join_all;
use tokio::time::Instant;

use super::super::Headless;
use super::super::inside::{Place, Workspace};
use super::super::look::Stamp;
use super::documents::{Seen, Sheet, look, place_of};
use super::{Languages, Need, merged, within};

/// The longest an answer may take after a change. The CLI drops what comes later than 1.5 s after it asked.
const HOLD: Duration = Duration::from_millis(1200);
/// The longest for one file that has not changed since it was last looked at. Such is the CLI's question before it
/// writes; it waits half a second, and says nothing about files for which there was no answer by then.
const BEFORE: Duration = Duration::from_millis(400);
/// What the disk and the way back may take of that.
const MARGIN: Duration = Duration::from_millis(50);

/// A file, what the disk says about it, and who can judge it.
struct Visit {
    place: Place,
    seen: Seen,
    needs: Vec<Need>,
}

impl Diagnose for Headless {
    fn diagnostics(&self, path: Option<PathBuf>) -> Answer<'_, Vec<FileDiagnostics>> {
        let (before, after) = (within(BEFORE - MARGIN), within(HOLD - MARGIN));
        Box::pin(async move {
            let all = path.is_none();
            let until = |sheet: &Sheet| if all || sheet.changed { after } else { before };
            let paths = path.map_or_else(|| self.languages.inner().documents.shown(), |path| vec![path]);
            let mut files = self.current(paths, after, until).await?;
            if all {
                files.extend(self.loose().await?);
            }
            Ok(files.into_iter().map(|(path, diagnostics)| FileDiagnostics { path, diagnostics }).collect())
        })
    }
}

type ByPath = BTreeMap<PathBuf, Vec<Diagnostic>>;

impl Headless {
    /// Asks about these files; those that change meanwhile are asked about again. What is not known in time about a
    /// file as it is now is left out.
    async fn current(
        &self,
        mut paths: Vec<PathBuf>,
        end: Instant,
        until: impl Fn(&Sheet) -> Instant,
    ) -> Result<ByPath, EditorError> {
        let mut done = ByPath::new();
        while !paths.is_empty() {
            let sheets = self.visit(paths).await?;
            let lists = join_all(sheets.iter().map(|(sheet, servers)| {
                let until = until(sheet);
                async move {
                    let lists = join_all(servers.iter().map(|server| server.fresh(sheet, until))).await;
                    merged(lists.into_iter().flatten())
                }
            }));
            let lists = lists.await;
            let changed = self.changed(sheets.iter().map(|(sheet, _)| sheet)).await?;
            let late = Instant::now() >= end;
            paths = Vec::new();
            for ((sheet, _), list) in sheets.into_iter().zip(lists) {
                match (changed.contains(&sheet.real), late) {
                    (false, _) => drop(done.insert(sheet.shown, list)),
                    (true, true) => drop(done.insert(sheet.shown, Vec::new())),
                    (true, false) => paths.push(sheet.shown),
                }
            }
        }
        Ok(done)
    }

    /// Looks at the files and finds the servers for them. Files that are private, outside or gone are passed over.
    pub(super) async fn visit(
        &self,
        paths: Vec<PathBuf>,
    ) -> Result<Vec<(Sheet, Vec<Arc<super::Server>>)>, EditorError> {
        let languages = Arc::clone(&self.languages);
        let visits = self.on_disk(move |workspace| {
            Ok(paths.iter().filter_map(|path| visit(&languages, workspace, path)).collect::<Vec<_>>())
        });
        let mut found = Vec::new();
        for Visit { place, seen, needs } in visits.await? {
            let servers = self.languages.servers(needs);
            let mut inner = self.languages.inner();
            let (sheet, closed) = inner.documents.learn(&place, seen);
            Languages::close_files(&inner, &closed);
            found.extend(sheet.map(|sheet| (sheet, servers)));
        }
        Ok(found)
    }

    /// Which of the files are no longer as they were shown.
    async fn changed(&self, sheets: impl Iterator<Item = &Sheet>) -> Result<Vec<PathBuf>, EditorError> {
        let known: Vec<_> = {
            let inner = self.languages.inner();
            sheets
                .filter_map(|sheet| Some((sheet.real.clone(), inner.documents.known(&sheet.real)?.0)))
                .collect()
        };
        let changed =
            |(real, stamp): (PathBuf, Stamp)| (Stamp::at(&real).ok() != Some(stamp)).then_some(real);
        self.on_disk(move |_| Ok(known.into_iter().filter_map(changed).collect())).await
    }

    /// Files that servers speak of without having been asked, if they are still as they were then.
    async fn loose(&self) -> Result<ByPath, EditorError> {
        let mut said: Vec<(PathBuf, Option<Stamp>, Vec<Diagnostic>)> = Vec::new();
        {
            let inner = self.languages.inner();
            for server in &inner.servers {
                let state = server.state();
                let loose = state.papers.loose().filter(|(path, ..)| !inner.documents.has(path));
                said.extend(loose.map(|(path, stamp, list)| (path.clone(), stamp, list.clone())));
            }
        }
        self.on_disk(move |workspace| {
            let mut files = ByPath::new();
            for (path, stamp, list) in said {
                let place = workspace.for_agent(&path).ok();
                if place.is_some_and(|place| Stamp::at(&place.real).ok() == stamp) {
                    files.entry(path).or_default().extend(list);
                }
            }
            Ok(files)
        })
        .await
    }
}

fn visit(languages: &Languages, workspace: &Workspace, path: &std::path::Path) -> Option<Visit> {
    let place = match place_of(workspace, path) {
        Ok(place) => place,
        // It may have been there, and servers should forget it.
        Err(EditorError::NotFound(_)) => {
            let place = Place { path: path.into(), real: path.into(), private: false };
            return Some(Visit { place, seen: Seen::Nothing, needs: Vec::new() });
        }
        Err(_) => return None,
    };
    let folder = workspace.folders.iter().find(|folder| place.real.starts_with(&folder.real))?;
    let needs = languages.needs(&place.real, &folder.real);
    if needs.is_empty() {
        return None;
    }
    let known = languages.inner().documents.known(&place.real);
    Some(Visit { seen: look(&place, known), place, needs })
}
