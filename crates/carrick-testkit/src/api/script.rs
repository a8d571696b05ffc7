//! What the model says: scripts chosen by the prompt, made of turns, made of steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

/// The model's part of one conversation, chosen by a needle in the person's newest prompt.
#[derive(Debug, Clone)]
pub struct Script {
    pub(crate) needle: String,
    pub(crate) turns: Vec<Turn>,
    pub(crate) background: bool,
}

impl Script {
    /// A script for conversations whose newest prompt contains `needle`.
    pub fn when(needle: impl Into<String>) -> Self {
        Self { needle: needle.into(), turns: Vec::new(), background: false }
    }

    /// Adds the next answer. Turn 0 answers the prompt, turn 1 the results of turn 0's tool uses, and so on.
    #[must_use]
    pub fn turn(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }

    /// A turn that only says `text`.
    #[must_use]
    pub fn says(self, text: impl Into<String>) -> Self {
        self.turn(Turn::new().text(text))
    }

    /// A turn that only uses one tool.
    #[must_use]
    pub fn uses(self, tool: impl Into<String>, input: Value) -> Self {
        self.turn(Turn::new().tool_use(tool, input))
    }

    /// Lets the script answer requests that offer no tools too. The CLI's own side requests (titles,
    /// summaries) quote the person's prompt but offer no tools, which is how they are told apart.
    #[must_use]
    pub fn even_without_tools(mut self) -> Self {
        self.background = true;
        self
    }
}

/// One answer of the model.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    pub(crate) steps: Vec<Step>,
    pub(crate) stop_reason: Option<String>,
    pub(crate) failures: Option<Failures>,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Text(String),
    Thinking(String),
    ToolUse { name: String, input: Value },
    Delay(Duration),
    Hold(Gate),
    Break,
}

impl Turn {
    /// An empty answer, to be filled.
    pub fn new() -> Self {
        Self::default()
    }

    /// A turn that is an HTTP error every time it is asked for.
    pub fn error(status: u16, kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new().after_failures(usize::MAX, Failure::new(status, kind, message))
    }

    /// Says `text`.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.step(Step::Text(text.into()))
    }

    /// Thinks `text`.
    #[must_use]
    pub fn thinking(self, text: impl Into<String>) -> Self {
        self.step(Step::Thinking(text.into()))
    }

    /// Uses a tool; the id is made unique by the API.
    #[must_use]
    pub fn tool_use(self, name: impl Into<String>, input: Value) -> Self {
        self.step(Step::ToolUse { name: name.into(), input })
    }

    /// Pauses the stream. Prefer [`Turn::hold`] where a test can say when to go on.
    #[must_use]
    pub fn delay(self, time: Duration) -> Self {
        self.step(Step::Delay(time))
    }

    /// Pauses the stream until `gate` is opened.
    #[must_use]
    pub fn hold(self, gate: &Gate) -> Self {
        self.step(Step::Hold(gate.clone()))
    }

    /// Cuts the connection here, in the middle of the answer.
    #[must_use]
    pub fn break_stream(self) -> Self {
        self.step(Step::Break)
    }

    /// Sets the stop reason; without it `tool_use` or `end_turn`, whichever fits.
    #[must_use]
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }

    /// Fails the first `times` requests for this turn, as an overloaded service does, then answers.
    #[must_use]
    pub fn after_failures(mut self, times: usize, failure: Failure) -> Self {
        self.failures = Some(Failures { left: Arc::new(AtomicUsize::new(times)), failure });
        self
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

/// An HTTP error as the Messages API words it.
#[derive(Debug, Clone)]
pub struct Failure {
    pub(crate) status: u16,
    pub(crate) kind: String,
    pub(crate) message: String,
}

impl Failure {
    /// `kind` is the API's error type, for example `invalid_request_error`.
    pub fn new(status: u16, kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { status, kind: kind.into(), message: message.into() }
    }

    /// The 529 that the CLI tries again after a while.
    pub fn overloaded() -> Self {
        Self::new(529, "overloaded_error", "Overloaded")
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Failures {
    left: Arc<AtomicUsize>,
    failure: Failure,
}

impl Failures {
    /// Takes one failure if there is one left; `usize::MAX` never runs out.
    pub(crate) fn take(&self) -> Option<&Failure> {
        let step = |left| match left {
            0 => None,
            usize::MAX => Some(usize::MAX),
            left => Some(left - 1),
        };
        self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, step).ok().map(|_| &self.failure)
    }
}

/// A latch that keeps an answer waiting until the test has seen what it wants to see.
#[derive(Debug, Clone)]
pub struct Gate(watch::Sender<bool>);

impl Default for Gate {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens the gate for good.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn passed(&self) {
        // The sender lives in `self`, so this can only end with an open gate.
        let _ = self.0.subscribe().wait_for(|open| *open).await;
    }
}
