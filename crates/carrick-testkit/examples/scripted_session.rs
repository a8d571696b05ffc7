//! A whole session with the real CLI and a scripted model, from a prompt to the request the model got.
//!
//! Run it with `cargo run -p carrick-testkit --example scripted_session`; it needs the CLI that
//! `cargo xtask test` installs, or `CARRICK_TEST_CLAUDE` set to one.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::time::Duration;

use carrick_testkit::Result;
use carrick_testkit::api::{Api, Script, Turn};
use carrick_testkit::claude::{ASK_FIRST, ClaudeHome};
use carrick_testkit::terminal::Key;
use serde_json::json;

const SOON: Duration = Duration::from_secs(30);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let api = Api::start()?;
    let home = ClaudeHome::new(&api)?;
    let file = home.write("greeting.txt", "hello\n")?;
    let edit = json!({"file_path": file, "old_string": "hello", "new_string": "ahoy"});
    api.add(
        Script::when("like a sailor")
            .turn(Turn::new().thinking("First a look.").tool_use("Read", json!({"file_path": file})))
            .turn(Turn::new().text("I would change one word.").tool_use("Edit", edit))
            .says("The greeting is a sailor's now."),
    );

    let mut claude = home.interactive(ASK_FIRST).start().await?;
    claude.submit("greet like a sailor").await?;
    claude.wait_for_text("Do you want to make this edit", SOON).await?;
    println!("{}\n", claude.screen());
    claude.press_until(Key::Enter, |screen| screen.contains("a sailor's now"), SOON).await?;

    println!("greeting.txt: {}", std::fs::read_to_string(&file)?);
    for request in api.conversation() {
        println!(
            "model request: {} tools, {} results",
            request.tool_names().len(),
            request.tool_results().len()
        );
    }
    Ok(())
}
