//! Opening the review page: a fresh address from the desk, and the browser that the person uses.

use std::ffi::OsString;
use std::process::Stdio;

use carrick_editors::link::protocol::{Empty, Page, PageReply};
use serde_json::json;
use tokio::process::Command;

use crate::desk::Part;
use crate::env;
use crate::exit::{Exit, Failure};
use crate::join::Shell;
use crate::print::{self, Line, Out};

/// `carrick review --open`.
pub(crate) async fn open(json: bool) -> Result<Exit, Failure> {
    let PageReply { address } = Shell::join().await?.ask::<Page>(&Empty {}).await?;
    let address = address.ok_or(Failure::NoPage)?;
    let out = Out::new();
    if json {
        out.json(&json!({ "address": address }));
    } else {
        out.line(&Line::plain(address.clone()));
    }
    show(&address).await;
    Ok(Exit::Done)
}

/// `carrick serve --open`. A viewer asks the host; one that has no page is told so, and serves on.
pub(crate) async fn open_for(part: &mut Part) {
    match part.page().await {
        Some(address) => show(&address).await,
        None => print::remark(&format!("note: {}", Failure::NoPage)),
    }
}

/// Starts the browser. The address is on the screen already for those who have none here.
async fn show(address: &str) {
    for program in browsers() {
        let mut browser = Command::new(&program);
        browser.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A program that opens addresses hands them on and ends; one that stays is the browser itself.
        if browser.spawn().is_ok() {
            return;
        }
    }
    print::remark("note: no browser could be started; open the address above by hand");
}

/// What opens an address, the person's own wish first.
fn browsers() -> Vec<OsString> {
    let wish = env::get(env::BROWSER);
    let systems = if cfg!(target_os = "macos") { ["open"].as_slice() } else { &["wslview", "xdg-open"] };
    wish.into_iter().chain(systems.iter().map(OsString::from)).collect()
}
