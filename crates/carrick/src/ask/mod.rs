//! `carrick ask`: one question to Claude Code, the answer on standard output as it is written.

mod show;
mod spinner;

use std::io::{IsTerminal, Read};

use carrick_claude::frame::AssistantError;
use carrick_claude::{Error, Frame, Options, PermissionMode, Query, SystemPrompt, query};

use crate::args::AskArguments;
use crate::exit::{Exit, Failure};
use crate::print::Out;
use crate::signals::Signals;
use show::Shown;

/// What a shell makes of a death by signal is this and the signal's number.
const BY_SIGNAL: i32 = 128;

pub(crate) async fn ask(arguments: AskArguments) -> Result<Exit, Failure> {
    let mut signals = Signals::catch()?;
    let prompt = prompt(&arguments.prompt)?;
    let json = arguments.json.json;
    let mut answer = query(prompt, options(arguments));
    tokio::select! {
        ended = tell(&mut answer, json) => ended,
        // The answer is dropped, and with it the CLI and all that it started.
        signal = signals.next() => Ok(Exit::Child(u8::try_from(BY_SIGNAL + signal.as_raw()).unwrap_or(1))),
    }
}

/// What was typed, and what was piped in behind it.
fn prompt(words: &[String]) -> Result<String, Failure> {
    let typed = words.join(" ");
    if std::io::stdin().is_terminal() {
        return if typed.trim().is_empty() { Err(Failure::NoPrompt) } else { Ok(typed) };
    }
    let mut piped = String::new();
    std::io::stdin().read_to_string(&mut piped).map_err(Failure::io("read", "standard input"))?;
    match (typed.trim(), piped.trim()) {
        ("", "") => Err(Failure::NoPrompt),
        ("", _) => Ok(piped),
        (_, "") => Ok(typed),
        _ => Ok(format!("{typed}\n\n{piped}")),
    }
}

fn options(arguments: AskArguments) -> Options {
    let mut options = Options::new()
        .system_prompt(SystemPrompt::ClaudeCode)
        .include_partial_messages()
        .allowed_tools(arguments.allow);
    if let Some(model) = arguments.model {
        options = options.model(model);
    }
    if let Some(mode) = arguments.mode {
        options = options.permission_mode(PermissionMode::from(mode.as_str()));
    }
    if let Some(session) = arguments.resume {
        options = options.resume(session);
    }
    if arguments.go_on { options.continue_latest() } else { options }
}

async fn tell(answer: &mut Query, json: bool) -> Result<Exit, Failure> {
    let (mut shown, out) = (Shown::new(), Out::new());
    let mut refused: Option<AssistantError> = None;
    let mut failed = None;
    while let Some(frame) = shown.meanwhile(answer.next()).await {
        let frame = frame?;
        if json {
            out.json(&frame);
        } else {
            shown.frame(&frame);
        }
        match frame {
            Frame::Assistant(said) => refused = said.error.clone().or(refused),
            Frame::Result(result) => failed = Error::of_turn(&result, refused.take().as_ref()),
            _ => {}
        }
    }
    shown.finish(json);
    failed.map_or(Ok(Exit::Done), |error| Err(error.into()))
}
