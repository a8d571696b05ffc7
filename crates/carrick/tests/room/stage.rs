//! A workspace with `carrick serve` on a terminal, and a client that proposes changes.

use std::path::Path;

use carrick_testkit::ide_client::IdeClient;
use carrick_testkit::terminal::{Terminal, TerminalCommand};
use serde_json::{Value, json};

use crate::world::{PATIENCE, World, until};

pub(crate) const OLD: &str = "\
//! Greets.

use std::env;

/// Says hello.
fn main() {
    let name = env::args().nth(1);
    println!(\"hello\");
}

fn unused() -> u32 {
    // nothing here
    41
}
";

/// Three hunks: one line less, two lines for one, one word.
pub(crate) const NEW: &str = "\
//! Greets a person.

use std::env;

/// Says hello.
fn main() {
    let name = env::args().nth(1);
    let name = name.unwrap_or_else(|| \"world\".into());
    println!(\"hello, {name}\");
}

fn unused() -> u32 {
    // nothing here
    42
}
";

pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) terminal: Terminal,
    pub(crate) client: IdeClient,
}

/// carrick on a terminal of 80 columns and 28 rows.
pub(crate) fn terminal(world: &World, arguments: &[&str]) -> TerminalCommand {
    program(world, env!("CARGO_BIN_EXE_carrick")).args(arguments)
}

/// Any program on such a terminal, with the environment of the world.
pub(crate) fn program(world: &World, program: impl AsRef<std::ffi::OsStr>) -> TerminalCommand {
    let command = TerminalCommand::new(program, world.work()).size(80, 28);
    command
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", world.path("home"))
        .env("XDG_RUNTIME_DIR", world.path("run"))
        .env("TMPDIR", world.path("tmp"))
        .env("LANG", "C.UTF-8")
        .env("TERM", "xterm-256color")
}

impl Stage {
    pub(crate) async fn set() -> Self {
        let world = World::new();
        let serve = terminal(&world, &["serve"]);
        Self::with(world, serve).await
    }

    /// The same with a changed command.
    pub(crate) async fn with(world: World, serve: TerminalCommand) -> Self {
        world.write("main.rs", OLD);
        let terminal = serve.spawn().unwrap();
        terminal.wait_for_text("No change waits", PATIENCE).await.unwrap();
        let client = connect(&world).await;
        terminal.wait_for_text("claude-code", PATIENCE).await.unwrap();
        Self { world, terminal, client }
    }

    /// Proposes a change; the call that waits for its answer.
    pub(crate) async fn propose(&self, name: &str, contents: &str) -> Value {
        propose(&self.world, &self.client, name, contents).await
    }

    /// Proposes the change of `main.rs` and waits until it can be decided.
    pub(crate) async fn proposed(&self) -> Value {
        let call = self.propose("main.rs", NEW).await;
        self.see("a accept").await;
        call
    }

    pub(crate) async fn see(&self, text: &str) {
        self.terminal.wait_for_text(text, PATIENCE).await.unwrap();
    }

    pub(crate) fn keys(&mut self, keys: &str) {
        self.terminal.type_text(keys).unwrap();
    }

    pub(crate) async fn answer(&self, call: &Value) -> Vec<String> {
        let answered = tokio::time::timeout(PATIENCE, answer(&self.client, call)).await;
        answered.unwrap_or_else(|_| panic!("no answer came; the room:\n{}", self.terminal.screen()))
    }

    /// Compares the screen with the kept one, when it shows `text`.
    pub(crate) async fn screen(&self, name: &str, text: &str) {
        screen(&self.world, &self.terminal, name, text).await;
    }
}

pub(crate) async fn connect(world: &World) -> IdeClient {
    until("there is a lock file", || world.locks().len() == 1).await;
    let lock = world.locks().remove(0);
    let port = lock.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let token = world.lock()["authToken"].as_str().unwrap().to_owned();
    let client = IdeClient::connect(port, &token).await.unwrap();
    client.handshake().await.unwrap();
    client
}

pub(crate) async fn propose(world: &World, client: &IdeClient, name: &str, contents: &str) -> Value {
    let path = world.work().join(name);
    let arguments = json!({
        "old_file_path": path, "new_file_path": path, "new_file_contents": contents, "tab_name": format!("tab {name}"),
    });
    client.begin_call("openDiff", arguments).await.unwrap()
}

pub(crate) async fn answer(client: &IdeClient, call: &Value) -> Vec<String> {
    let reply = client.reply(call, PATIENCE).await.unwrap();
    let blocks = reply["result"]["content"].as_array().unwrap_or_else(|| panic!("{reply}"));
    blocks.iter().map(|block| block["text"].as_str().unwrap().to_owned()).collect()
}

/// Waits until the terminal shows what is kept under this name.
pub(crate) async fn screen(world: &World, terminal: &Terminal, name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/room/screens/{name}.txt"));
    terminal.wait_for_text(text, PATIENCE).await.unwrap();
    if std::env::var_os("CARRICK_UPDATE_SCREENS").is_some() {
        // waits: for the picture to be whole; only when screens are written anew
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        std::fs::write(&file, placed(world, &terminal.screen())).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let same = terminal.wait_until(|screen| placed(world, screen) == kept, PATIENCE).await;
    assert!(
        same.is_ok(),
        "{name} differs; CARRICK_UPDATE_SCREENS=1 writes it anew. It is now:\n{}",
        placed(world, &terminal.screen())
    );
}

/// The screen with what differs from run to run replaced by its name.
fn placed(world: &World, screen: &str) -> String {
    let port = world.locks().first().and_then(|lock| Some(lock.file_stem()?.to_str()?.to_owned()));
    let screen = port.map_or(screen.to_owned(), |port| screen.replace(&format!("port {port}"), "port PORT"));
    let screen = screen.replace(carrick_testkit::claude::CLAUDE_VERSION, "VERSION");
    let work = world.path("");
    let screen = screen.replace(work.to_str().unwrap(), "WORLD/");
    let mut lines: Vec<String> = screen.lines().map(without_address).collect();
    lines.push(String::new());
    lines.join("\n")
}

fn without_address(line: &str) -> String {
    match line.split_once("http://") {
        Some((before, _)) => format!("{before}ADDRESS"),
        None => line.trim_end().to_owned(),
    }
}
