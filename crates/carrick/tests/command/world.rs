//! A home, a runtime folder and a workspace that nothing else knows, and the processes in them. Dropping it ends them.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use carrick_testkit::family::Family;
use carrick_testkit::ide_client::IdeClient;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{Instant, timeout};

/// More than anything here needs; what takes longer is stuck.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct World {
    folder: tempfile::TempDir,
    family: Family,
}

pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = Self { folder, family: Family::new() };
        for name in ["home", "run", "tmp", "work"] {
            std::fs::create_dir(world.path(name)).unwrap();
        }
        std::fs::set_permissions(world.path("run"), std::fs::Permissions::from_mode(0o700)).unwrap();
        world.write("a.txt", "one\ntwo\nthree\n");
        world
    }

    /// A path in this world, its links resolved.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.path("work")
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// carrick in this world, in the workspace.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.program(Path::new(env!("CARGO_BIN_EXE_carrick")), arguments)
    }

    /// Any program in this world, in the workspace.
    pub(crate) fn program(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        let (mark, value) = self.family.env();
        command
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .env("TMPDIR", self.path("tmp"))
            .env(mark, value)
            .current_dir(self.work())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Runs a command to its end.
    pub(crate) async fn carrick(&self, arguments: &[&str]) -> Done {
        finish(self.command(arguments)).await
    }

    /// The same; it must succeed and print JSON.
    pub(crate) async fn json(&self, arguments: &[&str]) -> Value {
        let done = self.carrick(arguments).await;
        assert_eq!(done.code, 0, "{arguments:?}: {}", done.err);
        serde_json::from_str(&done.out).unwrap()
    }

    /// `serve --json`, ready.
    pub(crate) async fn serve(&self) -> Server {
        Server::start(self.command(&["serve", "--json"])).await
    }

    /// The lock files there are; one that is just being written does not count yet.
    pub(crate) fn locks(&self) -> Vec<PathBuf> {
        let mut locks = files(&self.path("home/.claude/ide"));
        locks.retain(|path| path.extension().is_some_and(|ending| ending == "lock"));
        locks
    }

    /// What is in the runtime folder.
    pub(crate) fn runtime_files(&self) -> Vec<PathBuf> {
        files(&self.path("run/carrick"))
    }

    /// The fields of the only lock file.
    pub(crate) fn lock(&self) -> Value {
        let locks = self.locks();
        assert_eq!(locks.len(), 1, "{locks:?}");
        serde_json::from_slice(&std::fs::read(&locks[0]).unwrap()).unwrap()
    }

    /// How many processes of this world live.
    pub(crate) fn processes(&self) -> usize {
        self.family.pids().len()
    }

    /// A client that plays the CLI and has finished its greeting.
    pub(crate) async fn client(&self, server: &Server) -> IdeClient {
        let token = self.lock()["authToken"].as_str().unwrap().to_owned();
        let client = IdeClient::connect(server.port(), &token).await.unwrap();
        client.handshake().await.unwrap();
        client
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.family.end(None);
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

pub(crate) async fn finish(mut command: Command) -> Done {
    let output = timeout(PATIENCE, command.output()).await.expect("the command ends").unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Waits for a condition.
pub(crate) async fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds).await;
}

/// Waits for a condition that may need longer.
pub(crate) async fn until_within(patience: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + patience;
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        // waits: for the next look at the condition
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub(crate) struct Server {
    pub(crate) child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    pub(crate) ready: Value,
}

impl Server {
    pub(crate) async fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut server = Self { child, lines, ready: Value::Null };
        server.ready = server.line().await;
        server
    }

    /// The next line.
    pub(crate) async fn line(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line()).await.expect("a line").unwrap();
        serde_json::from_str(&line.expect("the server still runs")).unwrap()
    }

    /// The next line of this kind.
    pub(crate) async fn event(&mut self, kind: &str) -> Value {
        loop {
            let line = self.line().await;
            if line["kind"] == kind {
                return line;
            }
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.ready["port"].as_u64().unwrap().try_into().unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().unwrap().try_into().unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    pub(crate) async fn ended(&mut self) -> ExitStatus {
        timeout(PATIENCE, self.child.wait()).await.expect("the server ends").unwrap()
    }
}
