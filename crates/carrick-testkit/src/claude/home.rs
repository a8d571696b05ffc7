//! A home for the CLI that has nothing to do with the person's own: temporary folders, a seeded configuration
//! and a cleared environment, so that it starts without a question and reaches nothing but the scripted API.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::find::Claude;
use super::interactive::Interactive;
use super::print::Print;
use crate::api::Api;
use crate::family::Family;
use crate::terminal::TerminalCommand;

/// Stands where a key must stand; it opens nothing.
pub const DUMMY_KEY: &str = "sk-ant-carrick-testkit-0000000000-not-a-real-key";

/// Switches that keep the CLI quiet and at home.
const SWITCHES: &[(&str, &str)] = &[
    ("TERM", "xterm-256color"),
    ("LANG", "C.UTF-8"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("no_proxy", "127.0.0.1,localhost"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL", "1"),
    ("CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL", "1"),
];

/// The home; its folders go away when it is dropped, so keep it longer than what runs in it.
#[derive(Debug)]
pub struct ClaudeHome {
    claude: Claude,
    api_url: String,
    root: PathBuf,
    _folder: TempDir,
}

impl ClaudeHome {
    /// A fresh home whose CLI talks to `api`, with an empty, trusted project folder.
    pub fn new(api: &Api) -> Result<Self> {
        Self::with(Claude::find()?, api)
    }

    /// The same with a given executable.
    pub fn with(claude: Claude, api: &Api) -> Result<Self> {
        // A short name: sockets are made below it, and their paths may have only about a hundred bytes.
        let folder = tempfile::Builder::new().prefix("ck").tempdir().context("making a temporary home")?;
        let root = folder.path().canonicalize()?;
        let home = Self { claude, api_url: api.url(), root, _folder: folder };
        for part in ["home", "config", "tmp", "project", "bin"] {
            std::fs::create_dir(home.root.join(part))?;
        }
        std::os::unix::fs::symlink(home.claude.path(), home.root.join("bin/claude"))?;
        home.configure(|_| {})?;
        home.trust(&home.project())?;
        Ok(home)
    }

    /// The folder all others are in.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the CLI takes for `$HOME`.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// `CLAUDE_CONFIG_DIR`; lock files go in its `ide`.
    pub fn config(&self) -> PathBuf {
        self.root.join("config")
    }

    /// The folder the CLI works in.
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// Writes a file in the project, with the folders it needs, and returns its path.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf> {
        let path = self.project().join(name);
        std::fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
        std::fs::write(&path, contents).with_context(|| format!("writing {}", path.display()))?;
        Ok(path)
    }

    /// Spares the CLI's question whether `folder` is trusted.
    pub fn trust(&self, folder: &Path) -> Result<()> {
        let name = folder.to_string_lossy().into_owned();
        let trusted = json!({"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true});
        self.configure(|config| config["projects"][name] = trusted)
    }

    /// Changes the seeded `.claude.json` before a start.
    pub fn configure(&self, change: impl FnOnce(&mut Value)) -> Result<()> {
        let path = self.config().join(".claude.json");
        let mut config = match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).context("the CLI's configuration is not JSON")?,
            Err(_) => seed(),
        };
        change(&mut config);
        std::fs::write(&path, config.to_string()).with_context(|| format!("writing {}", path.display()))
    }

    /// The whole environment of what runs here; nothing is inherited but `PATH`, behind our own `claude`.
    pub fn env(&self) -> Vec<(OsString, OsString)> {
        let mut env: Vec<(OsString, OsString)> =
            SWITCHES.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let mut add = |name: &str, value: &OsStr| env.push((name.into(), value.into()));
        let (bin, tmp) = (self.root.join("bin"), self.root.join("tmp"));
        let inherited = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
        let folders = [bin].into_iter().chain(std::env::split_paths(&inherited));
        add("PATH", &std::env::join_paths(folders).expect("the folders came out of a PATH"));
        add("HOME", self.home().as_os_str());
        add("CLAUDE_CONFIG_DIR", self.config().as_os_str());
        add("TMPDIR", tmp.as_os_str());
        add("CLAUDE_CODE_TMPDIR", tmp.as_os_str());
        add("ANTHROPIC_BASE_URL", OsStr::new(&self.api_url));
        add("ANTHROPIC_API_KEY", OsStr::new(DUMMY_KEY));
        env
    }

    /// Every process that runs in this home, whoever started it.
    pub fn family(&self) -> Family {
        Family::marked("CLAUDE_CONFIG_DIR", &self.config().to_string_lossy())
    }

    /// Any command in a terminal, with this home's environment, in the project folder. `claude` is on its
    /// path, so `home.terminal("carrick").args(["run", "--", "claude"])` runs the real CLI here too.
    pub fn terminal(&self, program: impl AsRef<OsStr>) -> TerminalCommand {
        let command = TerminalCommand::new(program, self.project());
        self.env().into_iter().fold(command, |command, (name, value)| command.env(name, value))
    }

    /// The CLI in a terminal.
    pub fn interactive(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Interactive {
        Interactive::new(self.terminal(self.claude.path()).args(args))
    }

    /// The CLI in print mode: one prompt, JSON lines out.
    pub fn print(&self, prompt: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Print {
        Print::new(self.claude.path(), &self.project(), self.env(), prompt).args(args)
    }
}

impl Drop for ClaudeHome {
    fn drop(&mut self) {
        // Before the folders go: a process that outlives them would make them again.
        self.family().end(None);
    }
}

/// Every answer the CLI would ask for at its first start.
fn seed() -> Value {
    let approved = &DUMMY_KEY[DUMMY_KEY.len() - 20..];
    json!({
        "hasCompletedOnboarding": true,
        "lastOnboardingVersion": super::CLAUDE_VERSION,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [approved], "rejected": []},
        "projects": {},
    })
}
