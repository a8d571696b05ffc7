//! Once in a real multiplexer: what tmux shows is what the room drew.

use std::process::Command;

use crate::stage::{NEW, answer, connect, propose};
use crate::world::{World, until};

/// A tmux server of its own, ended when it is dropped.
struct Tmux<'a> {
    world: &'a World,
}

impl Tmux<'_> {
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.world.path("home")).env("XDG_RUNTIME_DIR", self.world.path("run"));
        command.env("TMPDIR", self.world.path("tmp")).env("LANG", "C.UTF-8").env("TERM", "xterm-256color");
        command.arg("-S").arg(self.world.path("tmux")).args(["-f", "/dev/null"]).args(arguments);
        let output = command.output().expect("tmux is installed by `cargo xtask test`");
        String::from_utf8(output.stdout).unwrap()
    }

    fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    async fn see(&self, text: &str) {
        until(text, || self.screen().contains(text)).await;
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[tokio::test]
async fn the_room_in_tmux() {
    let world = World::new();
    world.write("main.rs", crate::stage::OLD);
    let tmux = Tmux { world: &world };
    let work = world.work();
    let line = format!("{} serve; echo \"code $?\"; cat", env!("CARGO_BIN_EXE_carrick"));
    let work = work.to_str().unwrap();
    tmux.run(&[
        "new-session",
        "-d",
        "-x",
        "80",
        "-y",
        "28",
        "-c",
        work,
        &line,
        ";",
        "set",
        "-g",
        "status",
        "off",
    ]);
    tmux.run(&["resize-window", "-x", "80", "-y", "28"]);
    tmux.see("No change waits").await;
    let client = connect(&world).await;
    let call = propose(&world, &client, "main.rs", NEW).await;
    tmux.see("a accept").await;
    let kept = include_str!("screens/unified.txt");
    let port = world.locks()[0].file_stem().unwrap().to_str().unwrap().to_owned();
    let placed = |screen: String| {
        let screen = screen.replace(&format!("port {port}"), "port PORT");
        screen.replace(carrick_testkit::claude::CLAUDE_VERSION, "VERSION").trim_end().to_owned()
    };
    until("tmux shows the kept screen", || placed(tmux.screen()) == kept.trim_end()).await;
    tmux.run(&["resize-window", "-x", "60", "-y", "20"]);
    tmux.run(&["send-keys", "Tab", "n", "Space"]);
    tmux.see("2 chosen").await;
    tmux.run(&["send-keys", "a"]);
    let expected = NEW.replace(
        "    let name = name.unwrap_or_else(|| \"world\".into());\n    println!(\"hello, {name}\");\n",
        "    println!(\"hello\");\n",
    );
    assert_eq!(answer(&client, &call).await, ["FILE_SAVED", &expected]);
    tmux.see("accepted 2 of 3 hunks").await;
    tmux.run(&["send-keys", "q"]);
    tmux.see("code 0").await;
    assert!(!tmux.screen().contains("No change waits"));
}
