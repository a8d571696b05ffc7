//! One piece of code from the request to the last of its output.
//!
//! It is over when the kernel has replied *and* said that it is idle. Both are waited for, because output may come
//! after the reply; neither for ever, because either may be lost.

use std::time::Duration;

use jupyter_protocol::{ExecuteRequest, ExecutionState, InputReply, JupyterMessage, JupyterMessageContent};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use crate::collect::Collected;
use crate::kernel::{Body, Life, Ran};
use crate::wires::{published, understood};
use rustix::process::Signal;

/// How long the second sign of the end may come after the first.
const LATE: Duration = Duration::from_secs(2);
/// After an interrupt without effect another one is sent …
const INTERRUPT_AGAIN: Duration = Duration::from_secs(3);
/// … and so many times; then a kernel of ours is ended, and one of somebody else is left to them.
const INTERRUPTS: u32 = 4;

const NO_INPUT: &str = "input() is not possible here: nobody can type into this kernel. \
                        Put the values into the code instead.";

/// How far a piece of code is.
struct Progress {
    id: String,
    collected: Collected,
    started: bool,
    replied: bool,
    idle: bool,
    /// The caller has gone.
    unwanted: bool,
    interrupts: u32,
    alarm: Option<Instant>,
    death: Option<String>,
}

impl Progress {
    fn of(id: String) -> Self {
        Self {
            id,
            collected: Collected::default(),
            started: false,
            replied: false,
            idle: false,
            unwanted: false,
            interrupts: 0,
            alarm: None,
            death: None,
        }
    }

    fn is_over(&self) -> bool {
        (self.replied && self.idle) || self.death.is_some()
    }

    fn end(mut self) -> Ran {
        if let Some(death) = &self.death {
            self.collected
                .failed(&format!("{death}. Its variables are lost; the next call gets a new kernel."));
        }
        Ran { died: self.death.is_some(), outputs: self.collected.finish() }
    }

    /// One of the two signs of the end has come.
    fn nearly_over(&mut self) {
        if !self.unwanted {
            self.alarm = Some(Instant::now() + LATE);
        }
    }

    fn published(&mut self, parent: Option<&str>, content: JupyterMessageContent) {
        if parent != Some(&self.id) {
            return;
        }
        if self.replied {
            self.nearly_over();
        }
        match content {
            JupyterMessageContent::Status(status) => self.state(&status.execution_state),
            JupyterMessageContent::StreamContent(stream) => self.collected.printed(&stream.text),
            JupyterMessageContent::DisplayData(display) => self.collected.shown(&display.data),
            JupyterMessageContent::ExecuteResult(result) => self.collected.shown(&result.data),
            JupyterMessageContent::UpdateDisplayData(update) => {
                let display = update.transient.display_id.unwrap_or_default();
                self.collected.changed(display, update.data);
            }
            JupyterMessageContent::ClearOutput(clear) => self.collected.cleared(clear.wait),
            JupyterMessageContent::ErrorOutput(error) => {
                self.error(&error.ename, &error.evalue, &error.traceback);
            }
            _ => {}
        }
    }

    fn state(&mut self, state: &ExecutionState) {
        match state {
            ExecutionState::Idle => {
                self.idle = true;
                self.nearly_over();
            }
            _ => self.started = true,
        }
    }

    fn error(&mut self, name: &str, value: &str, traceback: &[String]) {
        let words = match traceback {
            [] => format!("{name}: {value}"),
            lines => lines.join("\n"),
        };
        let hint = if name == "StdinNotImplementedError" { format!("\n{NO_INPUT}") } else { String::new() };
        self.collected.failed(&(words + &hint));
    }

    fn replied(&mut self, parent: Option<&str>, content: &JupyterMessageContent) {
        if parent != Some(&self.id) {
            return;
        }
        if let JupyterMessageContent::ExecuteReply(reply) = content {
            self.replied = true;
            self.nearly_over();
            if reply.status == jupyter_protocol::ReplyStatus::Aborted {
                self.idle = true;
                self.collected.failed(
                    "the kernel put this piece of code aside because another one failed: run it again",
                );
            }
        }
    }
}

impl Life {
    /// Runs a piece of code to its end; when the caller goes it is interrupted.
    pub(crate) async fn run(&mut self, code: &str, caller: &mut oneshot::Sender<Ran>) -> Ran {
        // What a person has waiting in a shared kernel is not put aside because our code fails.
        let request =
            ExecuteRequest { allow_stdin: false, stop_on_error: false, ..ExecuteRequest::new(code.into()) };
        let request: JupyterMessage = request.into();
        let mut progress = Progress::of(request.header.msg_id.clone());
        if let Err(error) = self.wires.shell.send(request).await {
            progress.death = Some(format!("the kernel cannot be reached ({error})"));
        }
        while !progress.is_over() && !self.given_up(&progress) {
            self.step(&mut progress, caller).await;
        }
        progress.end()
    }

    async fn step(&mut self, progress: &mut Progress, caller: &mut oneshot::Sender<Ran>) {
        let alarm = progress.alarm;
        let broken = tokio::select! {
            heard = published(&mut self.wires.iopub, &mut self.wires.events) => heard.map(|heard| {
                if let Some((parent, content)) = heard { progress.published(parent.as_deref(), content) }
            }),
            heard = self.wires.shell.read() => understood(heard).map(|heard| {
                if let Some((parent, content)) = heard { progress.replied(parent.as_deref(), &content) }
            }),
            heard = self.wires.stdin.read() => match understood(heard) {
                Ok(Some((_, JupyterMessageContent::InputRequest(_)))) => {
                    self.no_input(progress).await;
                    Ok(())
                }
                other => other.map(|_| ()),
            },
            death = self.body.death() => {
                progress.death = Some(death);
                Ok(())
            }
            () = caller.closed(), if !progress.unwanted => {
                progress.unwanted = true;
                progress.alarm = Some(Instant::now());
                Ok(())
            }
            () = at(alarm), if alarm.is_some() => {
                self.alarmed(progress).await;
                Ok(())
            }
        };
        if let Err(why) = broken {
            progress.death = Some(self.body.lost(&why).await);
        }
        self.last_words(progress);
    }

    /// Either the end has come without all of its signs, or an interrupt is due.
    async fn alarmed(&mut self, progress: &mut Progress) {
        progress.alarm = None;
        if !progress.unwanted || progress.replied || progress.idle {
            (progress.replied, progress.idle) = (true, true);
        } else if !progress.started {
            // Somebody else's code runs, and it is not to be interrupted in our place.
            progress.alarm = Some(Instant::now() + LATE / 10);
        } else {
            progress.interrupts += 1;
            progress.alarm = Some(Instant::now() + INTERRUPT_AGAIN);
            self.body.interrupt(&mut self.wires).await;
        }
        if progress.interrupts > INTERRUPTS
            && let Body::Ours(process) = &self.body
        {
            process.signal(Signal::KILL);
            progress.death = Some("the kernel did not react to an interrupt and was ended".into());
        }
    }

    /// True when a kernel of somebody else takes no notice of interrupts: it is left to them.
    fn given_up(&self, progress: &Progress) -> bool {
        matches!(self.body, Body::Theirs) && progress.interrupts > INTERRUPTS
    }

    /// A kernel that asks although it was told not to: its question is answered with nothing and the code stopped.
    async fn no_input(&mut self, progress: &mut Progress) {
        progress.collected.failed(NO_INPUT);
        self.body.interrupt(&mut self.wires).await;
        let _ = self.wires.stdin.send(InputReply::default().into()).await;
    }

    /// A kernel of ours may have said why it died.
    fn last_words(&self, progress: &mut Progress) {
        if let (Some(_), Body::Ours(process)) = (&progress.death, &self.body) {
            let said = process.said();
            if !said.trim().is_empty() {
                progress.collected.printed(&said);
            }
        }
    }
}

async fn at(alarm: Option<Instant>) {
    match alarm {
        Some(alarm) => sleep_until(alarm).await,
        None => std::future::pending().await,
    }
}
