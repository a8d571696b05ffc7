//! The answer as a person sees it: text on standard output, what is done meanwhile on standard error.

use carrick_claude::frame::{Assistant, Message, System, ToolUseBlock};
use carrick_claude::{Block, Frame};

use super::spinner::Spinner;
use crate::print::{Out, remark};

/// A tool's input is shown in one line of this length.
const DETAIL: usize = 80;

/// The fields that say most about what a tool does, in the order they are looked for.
const TELLING: [&str; 8] =
    ["file_path", "notebook_path", "command", "pattern", "query", "url", "description", "prompt"];

/// What has been shown so far.
pub(super) struct Shown {
    out: Out,
    spinner: Spinner,
    /// The text so far does not end with a newline.
    in_line: bool,
    /// The message whose text came in pieces, so that the whole one is not shown again.
    streaming: Option<String>,
    streamed: bool,
}

impl Shown {
    pub(super) fn new() -> Self {
        Self { out: Out::new(), spinner: Spinner::new(), in_line: false, streaming: None, streamed: false }
    }

    /// Turns the spinner until `work` is done.
    pub(super) async fn meanwhile<T>(&mut self, work: impl Future<Output = T>) -> T {
        // In the middle of a line of the answer there is no place for it.
        if self.in_line { work.await } else { self.spinner.turn_during(work).await }
    }

    pub(super) fn frame(&mut self, frame: &Frame) {
        match frame {
            Frame::StreamEvent(event) if event.parent_tool_use_id.is_none() => {
                if let Some(text) = event.text() {
                    self.streaming = event.api_message_id.clone();
                    self.streamed = true;
                    self.text(text);
                }
            }
            Frame::Assistant(said) => self.said(said),
            Frame::System(System::PermissionDenied(denied)) => {
                self.note(&format!("✗ {}: not permitted", denied.tool_name.as_deref().unwrap_or("tool")));
            }
            Frame::System(System::ApiRetry(_)) => self.note("… the API is busy; asking again"),
            _ => {}
        }
    }

    fn said(&mut self, said: &Assistant) {
        for block in said.blocks() {
            match block {
                Block::Text(text) if said.parent_tool_use_id.is_none() && !self.was_streamed(said) => {
                    self.text(&text.text);
                }
                Block::ToolUse(used) => self.note(&line(used)),
                _ => {}
            }
        }
    }

    /// The streamed pieces and the whole message have the API's id in common, where the CLI tells it.
    fn was_streamed(&self, said: &Assistant) -> bool {
        let id = said.message.as_ref().and_then(|message: &Message| message.id.as_ref());
        self.streamed && (self.streaming.is_none() || self.streaming.as_ref() == id)
    }

    fn text(&mut self, text: &str) {
        self.out.exactly(text);
        self.in_line = !text.ends_with('\n');
    }

    fn note(&mut self, text: &str) {
        self.end_line();
        remark(text);
    }

    fn end_line(&mut self) {
        if self.in_line {
            self.text("\n");
        }
    }

    pub(super) fn finish(&mut self, json: bool) {
        if !json {
            self.end_line();
        }
    }
}

fn line(used: &ToolUseBlock) -> String {
    let input = used.input.value();
    let detail = TELLING.iter().find_map(|key| input.get(key)?.as_str()).unwrap_or_default();
    let detail: String = detail.lines().next().unwrap_or_default().chars().take(DETAIL).collect();
    format!("· {} {detail}", used.name).trim_end().to_owned()
}
