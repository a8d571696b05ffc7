//! A headless Neovim with the plug-in, driven over its own socket, and clients that talk to its carrick.

use std::path::{Path, PathBuf};
use std::time::Duration;

use carrick_editors::nvim::channel::Channel;
use carrick_testkit::ide_client::IdeClient;
use rmpv::Value as Packed;
use serde_json::{Value, json};
use tokio::process::Child;

use crate::world::{PATIENCE, World, until};

/// The two that `cargo xtask test` installs: the newest, and the oldest that the plug-in is for.
pub(crate) const NEWEST: &str = "nvim";
pub(crate) const OLDEST: &str = "nvim-0.10";

/// The variable that names another Neovim for both.
const VARIABLE: &str = "CARRICK_TEST_NVIM";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Never a silent skip: a test that cannot find its Neovim fails and says what to run.
fn executable(which: &str) -> PathBuf {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return path.into();
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    let path = target.join("tools").join(which).join("bin/nvim");
    assert!(
        path.is_file(),
        "no {}: run `cargo xtask test`, which installs it, or set {VARIABLE}",
        path.display()
    );
    path
}

pub(crate) struct Neovim {
    pub(crate) child: Child,
    channel: Channel,
    pub(crate) socket: PathBuf,
}

impl Neovim {
    /// Neovim in the workspace, without carrick.
    pub(crate) async fn bare(world: &World, which: &str, files: &[&str]) -> Self {
        let number = std::fs::read_dir(world.path("tmp")).unwrap().count();
        let socket = world.path(&format!("tmp/nvim-{number}.sock"));
        let runtime = format!("set rtp^={}", workspace().join("plugins/nvim").display());
        let setup = format!("lua require('carrick').setup{{cmd='{}'}}", env!("CARGO_BIN_EXE_carrick"));
        let mut arguments = vec![
            "--clean",
            "--headless",
            "--listen",
            socket.to_str().unwrap(),
            "--cmd",
            &runtime,
            "-c",
            &setup,
        ];
        arguments.extend(files);
        let child = world.program(&executable(which), &arguments).spawn().unwrap();
        until("Neovim listens", || std::os::unix::net::UnixStream::connect(&socket).is_ok()).await;
        let stream = std::os::unix::net::UnixStream::connect(&socket).unwrap();
        let (channel, _incoming) = Channel::over(stream.try_clone().unwrap(), stream).unwrap();
        Self { child, channel, socket }
    }

    /// Neovim with carrick, which is at its desk.
    pub(crate) async fn start(world: &World, which: &str, files: &[&str]) -> Self {
        let neovim = Self::bare(world, which, files).await;
        neovim.begin().await;
        neovim
    }

    /// Starts carrick and waits until it is at its desk.
    pub(crate) async fn begin(&self) {
        self.lua("require('carrick').start()").await;
        self.wait("carrick is at a desk", "(require('carrick.job').ask('status') or {}).port ~= nil").await;
    }

    pub(crate) async fn lua(&self, code: &str) -> Value {
        let params = vec![Packed::from(code), Packed::Array(Vec::new())];
        let answer = self
            .channel
            .call("nvim_exec_lua", params)
            .await
            .unwrap_or_else(|error| panic!("{code}: {error}"));
        rmpv::ext::from_value(answer).unwrap()
    }

    /// Waits for a Lua expression to hold.
    pub(crate) async fn wait(&self, what: &str, expression: &str) {
        let end = tokio::time::Instant::now() + PATIENCE;
        while self.lua(&format!("return ({expression}) and true or false")).await != json!(true) {
            assert!(tokio::time::Instant::now() < end, "waited in vain: {what}");
            // waits: for the next look at the condition
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Types.
    pub(crate) async fn keys(&self, keys: &str) {
        self.channel.call("nvim_input", vec![keys.into()]).await.unwrap();
    }

    pub(crate) async fn status(&self) -> Value {
        self.lua("return require('carrick.job').ask('status')").await
    }

    /// A process that was started from this Neovim, as an agent in its terminal is.
    pub(crate) async fn descendant(&self) -> u32 {
        let pid = self.lua("return vim.fn.jobpid(vim.fn.jobstart({'sleep', '600'}))").await;
        pid.as_u64().unwrap().try_into().unwrap()
    }

    pub(crate) fn kill(&self) {
        let pid = rustix::process::Pid::from_raw(self.child.id().unwrap().try_into().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }

    /// Ends as a person ends it.
    pub(crate) async fn quit(&mut self) {
        self.keys("<C-\\><C-n>:qa!<CR>").await;
        tokio::time::timeout(PATIENCE, self.child.wait()).await.expect("Neovim ends").unwrap();
    }
}

/// A client of the desk that says it is this process.
pub(crate) async fn client_of(world: &World, pid: u32) -> IdeClient {
    let lock = &world.locks()[0];
    let port = lock.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let token = world.lock()["authToken"].as_str().unwrap().to_owned();
    let client = IdeClient::connect(port, &token).await.unwrap();
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                       "clientInfo": {"name": "claude-code", "version": "2"}});
    client.request("initialize", about).await.unwrap();
    client.notify("notifications/initialized", json!({})).await.unwrap();
    client.notify("ide_connected", json!({"pid": pid})).await.unwrap();
    client.request("tools/list", json!({})).await.unwrap();
    client
}

/// The next selection that satisfies a condition.
pub(crate) async fn selected(client: &IdeClient, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let end = tokio::time::Instant::now() + PATIENCE;
    loop {
        let left = end.saturating_duration_since(tokio::time::Instant::now());
        let heard = client.expect_notification("selection_changed", left).await;
        let heard = heard.unwrap_or_else(|error| panic!("no selection of {what}: {error}"));
        if holds(&heard) {
            return heard;
        }
    }
}

/// The text of the first block of a tool's answer.
pub(crate) fn text(answer: &Value) -> &str {
    answer["content"][0]["text"].as_str().unwrap()
}

/// The answer of a tool that answers in JSON.
pub(crate) fn object(answer: &Value) -> Value {
    serde_json::from_str(text(answer)).unwrap()
}
