//! Language servers for the built-in editor: what is wrong with files, how they are formatted, what names mean.
//!
//! The way of a question: [`diagnose`] looks at the file on disk ([`documents`]), finds or starts the servers for it
//! ([`table`], [`process`]), each is shown the file as it is ([`server`]) and asked about exactly that ([`ask`]); what a
//! server says about anything older is dropped ([`papers`]). Nothing is started before the first question.

mod able;
mod ask;
mod connection;
mod diagnose;
mod documents;
mod edits;
mod encoding;
mod format;
mod navigate;
mod papers;
mod process;
mod server;
mod services;
mod spot;
mod symbols;
mod table;
mod wire;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use carrick_core::{Desk, Diagnostic, FileDiagnostics};
use futures_util::future::join_all;
use tokio::time::Instant;

use documents::Documents;
use server::{GIVEN_UP_FOR, Phase, Server, Start};
use table::{Entry, root_of};
pub use table::{Formatter, LanguageServer, Table};

/// Servers that run at once. For one more, the one that was started first is ended.
const MOST_SERVERS: usize = 16;

/// How long what was found installed, or not, is believed.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// All language servers of one editor.
pub(super) struct Languages {
    table: Table,
    entries: OnceLock<Vec<Arc<Entry>>>,
    pub(in crate::headless::lsp) desk: Weak<Desk>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    documents: Documents,
    servers: Vec<Arc<Server>>,
    /// Servers that were needed and are not installed.
    missing: BTreeMap<String, String>,
    /// What the desk was told last about a file, so that it hears only of changes.
    told: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// What is installed could navigate, and could format, when somebody last looked.
    likely: Option<(Instant, bool, bool)>,
    closed: bool,
}

/// A server that a file needs; found out where the disk may be read.
pub(super) struct Need {
    entry: Arc<Entry>,
    start: Option<Start>,
}

impl Languages {
    /// Nothing runs yet.
    pub(super) fn new(table: Table, desk: Weak<Desk>) -> Arc<Self> {
        Arc::new(Self { table, entries: OnceLock::new(), desk, inner: Mutex::default() })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entries(&self) -> &[Arc<Entry>] {
        self.entries.get_or_init(|| self.table.entries())
    }

    /// Whether what is installed could navigate and format. The search path is long and every list of tools asks.
    fn likely(&self) -> (bool, bool) {
        if let Some((since, navigates, formats)) = self.inner().likely
            && since.elapsed() < LOOK_AGAIN
        {
            return (navigates, formats);
        }
        let table = &self.table;
        let installed: Vec<_> = table.servers.iter().filter(|row| table.command(row).is_some()).collect();
        let named = |formatter: &Formatter| formatter.command.first().and_then(|name| table.program(name));
        let formats =
            installed.iter().any(|row| row.formats) || table.formatters.iter().any(|it| named(it).is_some());
        let navigates = installed.iter().any(|row| row.navigates);
        self.inner().likely = Some((Instant::now(), navigates, formats));
        (navigates, formats)
    }

    /// The servers that a file in this folder needs; this reads the disk.
    fn needs(&self, real: &Path, folder: &Path) -> Vec<Need> {
        let covering = self.entries().iter().filter(|entry| entry.patterns.cover(real));
        let need = |entry: &Arc<Entry>| Need {
            start: self.table.command(&entry.server).map(|(program, arguments)| Start {
                program,
                arguments,
                root: root_of(real, folder, &entry.server.roots),
            }),
            entry: Arc::clone(entry),
        };
        covering.map(need).collect()
    }

    /// The servers, started if they do not run.
    fn servers(self: &Arc<Self>, needs: Vec<Need>) -> Vec<Arc<Server>> {
        let mut inner = self.inner();
        if inner.closed {
            return Vec::new();
        }
        let mut found = Vec::new();
        for Need { entry, start } in needs {
            let name = entry.server.name.clone();
            match start {
                Some(start) => {
                    inner.missing.remove(&name);
                    found.push(self.server(&mut inner, entry, start));
                }
                None => drop(inner.missing.insert(name, entry.server.install.clone())),
            }
        }
        found
    }

    fn server(self: &Arc<Self>, inner: &mut Inner, entry: Arc<Entry>, start: Start) -> Arc<Server> {
        let is_it =
            |server: &Arc<Server>| server.entry.server == entry.server && server.start.root == start.root;
        if let Some(server) = inner.servers.iter().find(|server| is_it(server)) {
            let over =
                matches!(server.state().phase, Phase::Failed(since, _) if since.elapsed() > GIVEN_UP_FOR);
            if !over {
                return Arc::clone(server);
            }
        }
        inner.servers.retain(|server| !is_it(server));
        if inner.servers.len() >= MOST_SERVERS {
            inner.servers.remove(0).end();
        }
        let server = Server::launch(entry, start, Arc::downgrade(self));
        inner.servers.push(Arc::clone(&server));
        server
    }

    /// Files that nobody asks about any more.
    fn close_files(inner: &Inner, files: &[PathBuf]) {
        for file in files {
            inner.servers.iter().for_each(|server| server.close(file));
        }
    }

    /// Tells the desk what is known about a file now, if that is something new.
    fn tell(&self, real: &Path) {
        let mut inner = self.inner();
        let Some(version) = inner.documents.version(real) else { return };
        let list = merged(inner.servers.iter().filter_map(|server| server.state().papers.all(real, version)));
        if inner.told.get(real) == Some(&list) || (list.is_empty() && !inner.told.contains_key(real)) {
            return;
        }
        inner.told.insert(real.into(), list.clone());
        let path = inner.documents.name(real);
        let documents = &inner.documents;
        let gone: Vec<PathBuf> = inner.told.keys().filter(|path| !documents.has(path)).cloned().collect();
        gone.iter().for_each(|path| drop(inner.told.remove(path)));
        drop(inner);
        if let Some(desk) = self.desk.upgrade() {
            desk.diagnostics_changed(FileDiagnostics { path, diagnostics: list });
        }
    }

    /// Ends all servers and waits until they are gone.
    pub(super) async fn close(&self) {
        let servers = {
            let mut inner = self.inner();
            inner.closed = true;
            std::mem::take(&mut inner.servers)
        };
        servers.iter().for_each(|server| server.end());
        join_all(servers.iter().map(|server| server.ended())).await;
    }
}

impl Drop for Languages {
    fn drop(&mut self) {
        self.inner().servers.iter().for_each(|server| server.end());
    }
}

impl Server {
    /// Something new is known about a file.
    fn told(&self, real: &Path) {
        if let Some(family) = self.family() {
            family.tell(real);
        }
    }
}

/// What several servers say, in the order of the file, each thing once.
fn merged(lists: impl Iterator<Item = Vec<Diagnostic>>) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = lists.flatten().collect();
    all.sort_by(|one, other| {
        let key = |it: &Diagnostic| (it.range.start, it.severity);
        key(one).cmp(&key(other)).then_with(|| one.message.cmp(&other.message))
    });
    all.dedup();
    all
}

/// How long until.
fn within(time: Duration) -> Instant {
    Instant::now() + time
}
