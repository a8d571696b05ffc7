//! A workspace with an editor whose servers are the scripted one, or real ones.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carrick_core::{Desk, Diagnose, Diagnostic, Editor, FileDiagnostics, PrivateList, Service, ServiceState};
use carrick_editors::headless::{Equipment, Headless, LanguageServer, Table};

/// The machine may be busy.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// What an answer may take, with what a busy machine adds.
pub(crate) const IN_TIME: Duration = Duration::from_millis(1400);

pub(crate) struct Ground {
    _dir: tempfile::TempDir,
    pub(crate) root: PathBuf,
    pub(crate) desk: Arc<Desk>,
    pub(crate) editor: Arc<Headless>,
}

/// The scripted server for `*.scr` files, told so.
pub(crate) fn scripted(name: &str, options: &[&str]) -> LanguageServer {
    let program = env!("CARGO_BIN_EXE_carrick-scripted-server");
    let words = [program].into_iter().chain(options.iter().copied());
    LanguageServer {
        name: name.into(),
        files: vec!["*.scr".into()],
        roots: Vec::new(),
        commands: vec![words.map(String::from).collect()],
        install: "cargo build".into(),
        navigates: true,
        formats: true,
    }
}

impl Ground {
    pub(crate) fn with(table: Table) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("ws");
        std::fs::create_dir(&root).unwrap();
        let desk = Desk::new(vec![root.clone()], PrivateList::default());
        let editor = Headless::seat_with(&desk, Equipment::default().with_languages(table));
        Self { _dir: dir, root, desk, editor }
    }

    pub(crate) fn scripted(options: &[&str]) -> Self {
        Self::with(Table { servers: vec![scripted("scripted", options)], ..Table::default() })
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) async fn all(&self) -> Vec<FileDiagnostics> {
        self.editor.diagnostics(None).await.unwrap()
    }

    /// What is wrong with a file; the answer must come in time.
    pub(crate) async fn wrong(&self, name: &str) -> Vec<Diagnostic> {
        let asked = Instant::now();
        let files = self.editor.diagnostics(Some(self.root.join(name))).await.unwrap();
        assert!(asked.elapsed() < IN_TIME, "the answer took {:?}", asked.elapsed());
        assert!(files.iter().all(|file| file.path == self.root.join(name)), "{files:?}");
        files.into_iter().flat_map(|file| file.diagnostics).collect()
    }

    /// Asks until the answer is as it should be: a server may take its time to start.
    pub(crate) async fn until(&self, name: &str, good: impl Fn(&[Diagnostic]) -> bool) -> Vec<Diagnostic> {
        let began = Instant::now();
        loop {
            let list = self.wrong(name).await;
            if good(&list) {
                return list;
            }
            let services = self.services().await;
            assert!(began.elapsed() < SOON, "{name} is still {list:#?}\n{services:#?}");
            // waits: the server has no event for "ready to be asked again" that a client would see
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn services(&self) -> Vec<Service> {
        self.editor.services().await.unwrap()
    }

    /// The process of the server, once it is in this state.
    pub(crate) async fn service(&self, state: ServiceState) -> Service {
        let began = Instant::now();
        loop {
            let all = self.services().await;
            if let Some(service) = all.iter().find(|service| service.state == state) {
                return service.clone();
            }
            assert!(began.elapsed() < SOON, "none is {state:?}: {all:#?}");
            // waits: for a process to come or go; it has no event that is seen here
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Lines and messages, to compare.
pub(crate) fn brief(list: &[Diagnostic]) -> Vec<(u32, u32, &str)> {
    list.iter().map(|it| (it.range.start.line, it.range.start.character, it.message.as_str())).collect()
}

/// True while the process runs; one that only waits to be reaped does not.
pub(crate) fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// Waits until the process is gone.
pub(crate) async fn gone(pid: u32) {
    let began = Instant::now();
    while lives(pid) {
        assert!(began.elapsed() < SOON, "process {pid} still runs");
        // waits: for a process that is not our child to be gone
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
