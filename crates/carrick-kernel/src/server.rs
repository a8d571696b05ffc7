//! Jupyter servers that run on this machine, and the kernels of notebooks that are open in them.
//!
//! A connection file does not say which notebook it belongs to; the server that started the kernel does. Each server
//! leaves a file with its port and token in the runtime folder.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::process::{Pid, test_kill_process};
use serde::Deserialize;

use crate::Places;
use crate::http;

/// What a server says about itself.
#[derive(Deserialize)]
struct Server {
    pid: u32,
    port: u16,
    #[serde(default)]
    token: String,
    #[serde(default)]
    base_url: String,
    #[serde(default, alias = "notebook_dir")]
    root_dir: PathBuf,
    /// It speaks TLS, which nobody does on loopback without a reason of their own.
    #[serde(default)]
    secure: bool,
}

/// A notebook that is open.
#[derive(Deserialize)]
struct Session {
    path: String,
    kernel: Option<SessionKernel>,
}

#[derive(Deserialize)]
struct SessionKernel {
    id: String,
}

/// The kernel of an open notebook.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) notebook: PathBuf,
    pub(crate) connection_file: PathBuf,
}

/// True when a server runs at all: cheap, and asks nobody.
pub(crate) fn any(places: &Places) -> bool {
    !servers(places).is_empty()
}

/// The kernel of a notebook inside these folders; of several the one that was started last.
pub(crate) async fn newest(places: &Places, folders: &[PathBuf]) -> Option<Open> {
    let mut all = Vec::new();
    for server in servers(places) {
        all.extend(server.notebooks(places).await);
    }
    all.retain(|open| folders.iter().any(|folder| is_inside(&open.notebook, folder)));
    all.into_iter().max_by_key(|open| modified(&open.connection_file))
}

fn servers(places: &Places) -> Vec<Server> {
    let entries = std::fs::read_dir(&places.runtime).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).filter(|path| is_server_file(path));
    let servers = files.filter_map(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok());
    servers.filter(|server: &Server| is_alive(server.pid) && !server.secure).collect()
}

fn is_server_file(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    (name.starts_with("jpserver-") || name.starts_with("nbserver-")) && name.ends_with(".json")
}

fn is_alive(pid: u32) -> bool {
    i32::try_from(pid)
        .ok()
        .and_then(Pid::from_raw)
        .is_some_and(|pid| !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH)))
}

impl Server {
    async fn notebooks(&self, places: &Places) -> Vec<Open> {
        let path = format!("{}/api/sessions", self.base_url.trim_end_matches('/'));
        let Some(body) = http::get(self.port, &path, &self.token).await else {
            tracing::debug!(port = self.port, "a Jupyter server does not tell its notebooks");
            return Vec::new();
        };
        let sessions: Vec<Session> = serde_json::from_slice(&body).unwrap_or_default();
        sessions.into_iter().filter_map(|session| self.open(places, session)).collect()
    }

    fn open(&self, places: &Places, session: Session) -> Option<Open> {
        let connection_file = places.runtime.join(format!("kernel-{}.json", session.kernel?.id));
        // Notebooks that several people edit have a drive before their path.
        let path = session.path.strip_prefix("RTC:").unwrap_or(&session.path);
        let notebook = self.root_dir.join(path.trim_start_matches('/'));
        connection_file.is_file().then_some(Open { notebook, connection_file })
    }
}

/// Links are resolved as far as the path exists: a notebook may not have been saved yet.
fn is_inside(notebook: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
    let parent = notebook.parent().map(real).unwrap_or_default();
    parent.starts_with(real(folder))
}

fn modified(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).and_then(|data| data.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_secure_and_broken_servers_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places { runtime: folder.path().into(), ..Places::default() };
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let own = std::process::id();
        write("jpserver-1.json", "{");
        write("jpserver-2.json", &format!(r#"{{"pid": {}, "port": 1}}"#, i32::MAX));
        write("jpserver-3.json", &format!(r#"{{"pid": {own}, "port": 1, "secure": true}}"#));
        write("jpserver-6.json", r#"{"pid": -1, "port": 1}"#);
        write("jpserver-7.json", r#"{"pid": 4294967295, "port": 1}"#);
        write("kernel-4.json", &format!(r#"{{"pid": {own}, "port": 1}}"#));
        assert!(!any(&places));
        write("jpserver-5.json", &format!(r#"{{"pid": {own}, "port": 1, "root_dir": "/x"}}"#));
        assert!(any(&places));
    }

    #[test]
    fn a_notebook_is_inside_its_folder_also_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(is_inside(&link.join("a.ipynb"), &real));
        assert!(is_inside(&real.join("a.ipynb"), &link));
        assert!(!is_inside(&folder.path().join("a.ipynb"), &real));
    }
}
