//! A project with carrick serving it, a scripted model, and as many real CLIs as a test starts.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use carrick_testkit::api::{Api, Request, Script};
use carrick_testkit::claude::{ASK_FIRST, ClaudeHome, Session};
use carrick_testkit::terminal::TerminalCommand;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::world::{Done, Server, finish};

/// The CLI takes seconds to start, and the machine may be busy.
pub(crate) const SOON: Duration = Duration::from_secs(60);

pub(crate) struct Stage {
    pub(crate) api: Api,
    pub(crate) home: ClaudeHome,
}

impl Stage {
    pub(crate) fn set() -> Self {
        let api = Api::start().unwrap();
        let home = ClaudeHome::new(&api).unwrap();
        std::fs::create_dir(home.root().join("run")).unwrap();
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(home.root().join("run"), std::fs::Permissions::from_mode(0o700)).unwrap();
        Self { api, home }
    }

    /// A stage with a file, a server and a connected CLI.
    pub(crate) async fn connected(name: &str, contents: &str) -> (Self, PathBuf, Server, Session) {
        let stage = Self::set();
        let file = stage.home.write(name, contents).unwrap();
        let mut server = stage.serve().await;
        let session = stage.claude(&mut server).await;
        (stage, file, server, session)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carrick"));
        command
            .args(arguments)
            .env_clear()
            .envs(self.home.env())
            .env("XDG_RUNTIME_DIR", self.home.root().join("run"));
        command.current_dir(self.home.project()).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) async fn serve(&self) -> Server {
        Server::start(self.command(&["serve", "--json"])).await
    }

    /// Runs a carrick command; it must succeed.
    pub(crate) async fn carrick(&self, arguments: &[&str]) -> String {
        let Done { code, out, err } = finish(self.command(arguments)).await;
        assert_eq!(code, 0, "carrick {arguments:?}: {err}");
        out
    }

    /// Runs a carrick command that cannot be done; what it says.
    pub(crate) async fn refused(&self, arguments: &[&str]) -> String {
        let Done { code, err, .. } = finish(self.command(arguments)).await;
        assert_eq!(code, 1, "carrick {arguments:?}");
        err
    }

    pub(crate) async fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.carrick(arguments).await).unwrap()
    }

    /// carrick in a terminal.
    pub(crate) fn terminal(&self, arguments: &[&str]) -> TerminalCommand {
        let run = self.home.root().join("run");
        self.home.terminal(env!("CARGO_BIN_EXE_carrick")).args(arguments).env("XDG_RUNTIME_DIR", run)
    }

    /// A CLI that asks before it edits, connected to `server` and past its greeting.
    pub(crate) async fn claude(&self, server: &mut Server) -> Session {
        let arguments = ["--ide"].into_iter().chain(ASK_FIRST);
        let session = self.home.interactive(arguments).start().await.unwrap();
        server.event("client_ready").await;
        session
    }

    /// The model reads `file`, then edits it, then says "Done."
    pub(crate) fn script_edit(&self, prompt: &str, file: &std::path::Path, old: &str, new: &str) {
        let edit = json!({"file_path": file, "old_string": old, "new_string": new});
        self.api.add(
            Script::when(prompt).uses("Read", json!({"file_path": file})).uses("Edit", edit).says("Done."),
        );
    }

    /// The model writes a whole file, then says "Done."
    pub(crate) fn script_write(&self, prompt: &str, file: &std::path::Path, contents: &str) {
        let write = json!({"file_path": file, "content": contents});
        self.api.add(Script::when(prompt).uses("Write", write).says("Done."));
    }

    /// Waits for the change that the CLI proposes; the number of its review.
    pub(crate) async fn proposed(&self, server: &mut Server) -> String {
        let opened = server.event("review_opened").await;
        opened["review"]["id"].as_u64().unwrap_or_else(|| panic!("{opened}")).to_string()
    }

    /// The request that the model got for this prompt.
    pub(crate) async fn request_for(&self, prompt: &str) -> Request {
        self.api
            .wait_for_request(|request| request.offers_tools() && request.contains(prompt), SOON)
            .await
            .unwrap()
    }
}
