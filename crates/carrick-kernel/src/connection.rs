//! Connection files: reading somebody's, and making our own for a kernel that is to be started.
//!
//! Our kernels listen on Unix sockets in the runtime folder: no port that somebody else could take first, and no
//! other user who could connect. The file has a name that Jupyter's own programs understand
//! (`jupyter console --existing`), so a person can join in.

use std::net::IpAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jupyter_protocol::ConnectionInfo;
use jupyter_protocol::connection_info::Transport;
use rustix::process::{Pid, test_kill_process};
use tokio::net::{TcpListener, TcpStream, UnixStream};

use crate::{KernelError, Places};

/// What the names of our files begin with; the number of our process follows.
const OURS: &str = "kernel-carrick-";
/// A Unix socket's path must be short; this leaves room for the number at its end.
const LONGEST_SOCKET: usize = 100;
/// A kernel's channels.
const CHANNELS: u16 = 5;

fn broken(path: &Path, why: &dyn std::fmt::Display) -> KernelError {
    KernelError::File { path: path.into(), why: why.to_string() }
}

/// Reads a connection file and refuses one that leads to another machine.
pub(crate) fn read(path: &Path) -> Result<ConnectionInfo, KernelError> {
    let text = std::fs::read(path).map_err(|error| broken(path, &error))?;
    let info: ConnectionInfo = serde_json::from_slice(&text)
        .map_err(|error| broken(path, &format!("it is not a connection file: {error}")))?;
    let here = info.ip == "localhost" || info.ip.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    if info.transport == Transport::TCP && !here {
        return Err(broken(path, &format!("its kernel is on {}, not on this machine", info.ip)));
    }
    if info.signature_scheme != "hmac-sha256" {
        return Err(broken(path, &format!("it is signed with {}, not hmac-sha256", info.signature_scheme)));
    }
    Ok(info)
}

/// True when a kernel listens on all channels that we use.
pub(crate) async fn is_listening(info: &ConnectionInfo) -> bool {
    for port in [info.shell_port, info.iopub_port, info.stdin_port, info.control_port] {
        let reached = match info.transport {
            Transport::TCP => TcpStream::connect((info.ip.as_str(), port)).await.is_ok(),
            Transport::IPC => UnixStream::connect(format!("{}-{port}", info.ip)).await.is_ok(),
        };
        if !reached {
            return false;
        }
    }
    true
}

/// The connection file of a kernel of ours; it goes with this value, and so do the sockets.
pub(crate) struct OwnFile {
    pub(crate) path: PathBuf,
    pub(crate) info: ConnectionInfo,
    /// Keeps the ports until the kernel takes them.
    pub(crate) listeners: Vec<TcpListener>,
}

impl OwnFile {
    /// Writes a new one that only this person can read.
    pub(crate) async fn make(places: &Places) -> Result<Self, KernelError> {
        let folder = &places.runtime;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| broken(folder, &error))?;
        sweep(folder);
        let secret = random().map_err(|error| broken(folder, &error))?;
        let (name, key) = secret.split_at(8);
        let stem = format!("{OURS}{}-{name}", std::process::id());
        let (ip, transport, ports, listeners) = endpoints(&folder.join(&stem)).await?;
        let [shell_port, iopub_port, stdin_port, control_port, hb_port] = ports;
        let info = ConnectionInfo {
            ip,
            transport,
            shell_port,
            iopub_port,
            stdin_port,
            control_port,
            hb_port,
            key: key.into(),
            signature_scheme: "hmac-sha256".into(),
            kernel_name: None,
        };
        let path = folder.join(format!("{stem}.json"));
        write(&path, &info).map_err(|error| broken(&path, &error))?;
        Ok(Self { path, info, listeners })
    }
}

impl Drop for OwnFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
        for number in 1..=CHANNELS {
            let _ = std::fs::remove_file(format!("{}-{number}", self.info.ip));
        }
    }
}

type Endpoints = (String, Transport, [u16; CHANNELS as usize], Vec<TcpListener>);

/// Unix sockets, or free ports where the path would be too long for them.
async fn endpoints(stem: &Path) -> Result<Endpoints, KernelError> {
    let prefix = format!("{}-ipc", stem.display());
    if prefix.len() <= LONGEST_SOCKET {
        return Ok((prefix, Transport::IPC, [1, 2, 3, 4, 5], Vec::new()));
    }
    let mut ports = [0; CHANNELS as usize];
    let mut listeners = Vec::new();
    for port in &mut ports {
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| broken(stem, &error))?;
        *port = listener.local_addr().map_err(|error| broken(stem, &error))?.port();
        listeners.push(listener);
    }
    Ok(("127.0.0.1".into(), Transport::TCP, ports, listeners))
}

fn write(path: &Path, info: &ConnectionInfo) -> std::io::Result<()> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    serde_json::to_writer(file, info).map_err(std::io::Error::other)
}

/// Letters that nobody can guess.
pub(crate) fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 36];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Removes what a killed carrick left behind.
fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(OURS)?.split('-').next()?.parse().ok());
        let dead = |pid| matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH));
        if owner.and_then(Pid::from_raw).is_some_and(dead) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn places(folder: &Path) -> Places {
        Places { runtime: folder.into(), ..Places::default() }
    }

    #[tokio::test]
    async fn our_file_is_private_and_goes_with_its_value() {
        let folder = tempfile::tempdir().unwrap();
        let file = OwnFile::make(&places(&folder.path().join("r"))).await.unwrap();
        assert_eq!(std::fs::metadata(&file.path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(read(&file.path).unwrap(), file.info);
        assert!(!is_listening(&file.info).await);
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path().join("r")).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_long_path_means_ports() {
        let folder = tempfile::tempdir().unwrap();
        let file = OwnFile::make(&places(&folder.path().join("x".repeat(100)))).await.unwrap();
        assert_eq!((&file.info.transport, file.listeners.len()), (&Transport::TCP, 5));
    }

    #[tokio::test]
    async fn what_a_killed_process_left_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(format!("{OURS}{}-x.json", i32::MAX));
        let other = folder.path().join("kernel-1.json");
        std::fs::write(&left, "").unwrap();
        std::fs::write(&other, "").unwrap();
        let _file = OwnFile::make(&places(folder.path())).await.unwrap();
        assert!(!left.exists() && other.exists());
    }

    #[test]
    fn another_machine_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kernel-1.json");
        let text = |ip: &str| {
            format!(
                r#"{{"ip": "{ip}", "transport": "tcp", "shell_port": 1, "iopub_port": 2, "stdin_port": 3,
                "control_port": 4, "hb_port": 5, "key": "k", "signature_scheme": "hmac-sha256", "jupyter_session": ""}}"#
            )
        };
        std::fs::write(&path, text("127.0.0.1")).unwrap();
        assert!(read(&path).is_ok());
        std::fs::write(&path, text("192.0.2.1")).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("not on this machine"));
        std::fs::write(&path, "{}").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("not a connection file"));
    }
}
