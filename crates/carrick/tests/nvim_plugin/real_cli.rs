//! Neovim in a terminal with a person's keys, and the real CLI in Neovim's own terminal; the model is scripted.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carrick_testkit::api::{Api, Script};
use carrick_testkit::claude::{ASK_FIRST, ClaudeHome};
use carrick_testkit::terminal::{Key, Terminal};
use serde_json::{Value, json};

use super::{NEWEST, OLDEST, nvim, workspace};

const SOON: Duration = Duration::from_secs(60);
const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";

/// What the CLI shows in its input line once it has heard where the person is; before that it repaints the line.
const CONNECTED: &str = "❯\u{a0}[⧉";

struct Desk {
    api: Api,
    home: ClaudeHome,
    file: PathBuf,
    terminal: Terminal,
}

impl Desk {
    /// Neovim with `a.txt`, its carrick at the desk, nobody connected.
    async fn set() -> Self {
        Self::with(NEWEST).await
    }

    async fn with(version: &str) -> Self {
        let api = Api::start().unwrap();
        let home = ClaudeHome::new(&api).unwrap();
        let run = home.root().join("run");
        std::fs::create_dir(&run).unwrap();
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o700)).unwrap();
        let file = home.write("a.txt", OLD).unwrap();
        let command =
            home.terminal(nvim(version)).args(arguments()).env("XDG_RUNTIME_DIR", run).size(170, 45);
        let terminal = command.spawn().unwrap();
        terminal.wait_for_text("carrick ○", SOON).await.unwrap();
        Self { api, home, file, terminal }
    }

    async fn sees(&self, text: &str) {
        self.terminal.wait_for_text(text, SOON).await.unwrap();
    }

    fn keys(&mut self, keys: &str) {
        self.terminal.type_text(keys).unwrap();
    }

    /// Types a command line, once Neovim shows that it listens to one.
    async fn command(&mut self, line: &str) {
        self.keys(&format!(":{line}"));
        self.sees(&format!(":{line}")).await;
        self.terminal.press(Key::Enter).unwrap();
    }

    /// Opens the agent's terminal with the key and waits until the CLI is connected and takes a prompt.
    async fn agent(&mut self) {
        self.keys("\\ac");
        self.sees(CONNECTED).await;
        self.sees("carrick ●").await;
    }

    async fn prompt(&mut self, words: &str) {
        self.keys(words);
        self.sees(words).await;
        // The input line alone has a no-break space; a CLI that has only just started may miss the key.
        let typed = |line: &str| line.contains("❯\u{a0}") && line.contains(words);
        self.terminal.press_until(Key::Enter, |screen| !screen.lines().any(typed), SOON).await.unwrap();
    }

    /// The model reads the file, then writes `contents`.
    fn script_write(&self, prompt: &str, contents: &str) {
        let (read, write) =
            (json!({"file_path": self.file}), json!({"file_path": self.file, "content": contents}));
        self.api.add(Script::when(prompt).uses("Read", read).uses("Write", write).says("All done."));
    }

    fn script_edit(&self, prompt: &str, old: &str, new: &str) {
        let edit = json!({"file_path": self.file, "old_string": old, "new_string": new});
        let read = json!({"file_path": self.file});
        self.api.add(Script::when(prompt).uses("Read", read).uses("Edit", edit).says("All done."));
    }

    fn written(&self) -> String {
        std::fs::read_to_string(&self.file).unwrap()
    }
}

fn arguments() -> Vec<String> {
    let plugin = format!("set rtp^={}", workspace().join("plugins/nvim").display());
    let setup = format!(
        "lua require('carrick').setup{{cmd='{}', mappings='<leader>a', terminal={{cmd={{'claude','{}','{}'}}}}}}",
        env!("CARGO_BIN_EXE_carrick"),
        ASK_FIRST[0],
        ASK_FIRST[1]
    );
    let line = "let &statusline = '%t %{v:lua.require(\"carrick\").statusline()}' | set laststatus=3";
    ["--clean", "--cmd", &plugin, "-c", &setup, "-c", line, "a.txt"].map(str::to_owned).to_vec()
}

/// Something outside the terminal comes true.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + SOON;
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        // waits: for the next look at the condition
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn folders(config: &Path) -> Vec<Value> {
    let locks = std::fs::read_dir(config.join("ide")).unwrap().flatten().map(|entry| entry.path());
    let texts = locks.filter_map(|path| std::fs::read(path).ok());
    texts
        .filter_map(|text| serde_json::from_slice::<Value>(&text).ok())
        .map(|lock| lock["workspaceFolders"].clone())
        .collect()
}

#[tokio::test]
async fn a_visual_selection_reaches_the_model_and_a_write_accepts() {
    selected_and_accepted(NEWEST).await;
}

#[tokio::test]
async fn the_same_in_the_oldest_neovim() {
    selected_and_accepted(OLDEST).await;
}

async fn selected_and_accepted(version: &str) {
    let mut desk = Desk::with(version).await;
    desk.script_edit("change it", "two", "TWO");
    desk.keys("jVj");
    desk.agent().await;
    desk.sees("2 lines selected").await;
    desk.prompt("change it").await;
    desk.sees(":w accepts").await;
    assert_eq!(desk.written(), OLD);
    desk.command("w").await;
    desk.sees("All done.").await;
    assert_eq!(desk.written(), "one\nTWO\nthree\nfour\nfive\n");
    desk.sees("TWO").await;
    let requests = desk.api.conversation();
    assert!(
        requests.iter().any(|request| request.contains("two\\nthree")),
        "the selection is in the request"
    );
    assert!(!requests.iter().any(|request| request.contains("user modified")), "nothing was edited");
}

#[tokio::test]
async fn an_edited_proposal_is_accepted_as_edited() {
    let mut desk = Desk::set().await;
    desk.script_edit("change it", "two", "TWO");
    desk.agent().await;
    desk.prompt("change it").await;
    desk.sees(":w accepts").await;
    desk.keys("Cmine");
    desk.terminal.press(Key::Esc).unwrap();
    desk.terminal.wait_until_gone("-- INSERT --", SOON).await.unwrap();
    desk.command("w").await;
    desk.sees("All done.").await;
    assert_eq!(desk.written(), "one\nmine\nthree\nfour\nfive\n");
    desk.api.wait_for_request(|request| request.contains("user modified"), SOON).await.unwrap();
}

#[tokio::test]
async fn a_hunk_is_taken_back_and_the_rest_accepted() {
    let mut desk = Desk::set().await;
    desk.script_write("change it", "ONE\ntwo\nthree\nfour\nFIVE\n");
    desk.agent().await;
    desk.prompt("change it").await;
    desk.sees(":w accepts").await;
    desk.keys("ggdo");
    desk.command("w").await;
    desk.sees("All done.").await;
    // The CLI itself drops one final newline of a Write that the IDE accepted.
    assert_eq!(desk.written().trim_end(), "one\ntwo\nthree\nfour\nFIVE");
}

#[tokio::test]
async fn quitting_rejects_and_the_cursor_is_back_in_the_agent() {
    let mut desk = Desk::set().await;
    desk.script_edit("change it", "two", "TWO");
    desk.agent().await;
    desk.prompt("change it").await;
    desk.sees(":w accepts").await;
    desk.command("q").await;
    desk.terminal.wait_until_gone(":w accepts", SOON).await.unwrap();
    desk.terminal
        .wait_until(|screen| screen.contains("rejected") || screen.contains("Interrupted"), SOON)
        .await
        .unwrap();
    assert_eq!(desk.written(), OLD);
    desk.keys("back in the prompt");
    desk.sees("back in the prompt").await;
}

#[tokio::test]
async fn two_sessions_have_reviews_of_their_own() {
    let mut desk = Desk::set().await;
    let other = desk.home.write("b.txt", "b\n").unwrap();
    desk.script_edit("change the first", "two", "TWO");
    let write = json!({"file_path": other, "content": "B\n"});
    let read = json!({"file_path": other});
    desk.api
        .add(Script::when("change the other").uses("Read", read).uses("Write", write).says("Other done."));
    desk.agent().await;
    desk.prompt("change the first").await;
    desk.sees("a.txt: proposed").await;
    desk.keys("\x17j");
    desk.command("Carrick toggle second").await;
    desk.terminal.wait_until_gone("Opened changes", SOON).await.unwrap();
    desk.sees(CONNECTED).await;
    desk.prompt("change the other").await;
    desk.sees("2 to review").await;
    desk.keys("\x1c\x0e");
    desk.command("Carrick accept").await;
    desk.sees("b.txt: proposed").await;
    until("the first file is written", || desk.written() == "one\nTWO\nthree\nfour\nfive\n").await;
    desk.command("Carrick accept").await;
    desk.sees("Other done.").await;
    assert_eq!(std::fs::read_to_string(other).unwrap().trim_end(), "B");
}

#[tokio::test]
async fn the_lock_file_follows_cd_and_goes_with_neovim() {
    let mut desk = Desk::set().await;
    let other = desk.home.root().join("other");
    std::fs::create_dir(&other).unwrap();
    desk.command("cd ../other").await;
    let config = desk.home.config();
    until("the lock file names the folder", || {
        folders(&config).iter().any(|list| list.to_string().contains(other.to_str().unwrap()))
    })
    .await;
    desk.command("qa").await;
    assert!(desk.terminal.wait_for_exit(SOON).await.unwrap().success());
    until("the lock file is gone", || folders(&config).is_empty()).await;
}
