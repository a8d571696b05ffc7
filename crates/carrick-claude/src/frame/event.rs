//! The answer while it is being written: the API's own stream events, passed on by `--include-partial-messages`.

use super::block::Block;
use super::message::{Message, Usage};
use crate::json::{Raw, record, tagged};

record! {
    /// One event of the stream.
    StreamEvent {
        must event: Event = "event",
        may parent_tool_use_id: String = "parent_tool_use_id",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
        may ttft_ms: u64 = "ttft_ms",
        may api_message_id: String = "api_message_id",
        may thinking_display: String = "thinking_display",
        may user_message_uuid: String = "user_message_uuid",
    }
}

impl StreamEvent {
    /// The piece of text it brings, if it brings one.
    pub fn text(&self) -> Option<&str> {
        match &self.event {
            Event::ContentBlockDelta(ContentBlockDelta { delta: Delta::Text(delta), .. }) => {
                Some(&delta.text)
            }
            _ => None,
        }
    }

    /// The piece of thinking it brings, if it brings one.
    pub fn thinking(&self) -> Option<&str> {
        match &self.event {
            Event::ContentBlockDelta(ContentBlockDelta { delta: Delta::Thinking(delta), .. }) => {
                Some(&delta.thinking)
            }
            _ => None,
        }
    }
}

tagged! {
    /// What happened in the stream.
    Event by "type" {
        MessageStart(Box<MessageStart>) = "message_start",
        ContentBlockStart(Box<ContentBlockStart>) = "content_block_start",
        ContentBlockDelta(ContentBlockDelta) = "content_block_delta",
        ContentBlockStop(ContentBlockStop) = "content_block_stop",
        MessageDelta(Box<MessageDelta>) = "message_delta",
        MessageStop(MessageStop) = "message_stop",
        Ping(Ping) = "ping",
        Error(StreamError) = "error",
    }
}

record! {
    /// A message begins.
    MessageStart { must message: Message = "message" }
}

record! {
    /// A block begins, still without what its deltas bring.
    ContentBlockStart { must index: u64 = "index", must content_block: Block = "content_block" }
}

record! {
    /// More of a block.
    ContentBlockDelta { must index: u64 = "index", must delta: Delta = "delta" }
}

record! {
    /// A block is whole.
    ContentBlockStop { must index: u64 = "index" }
}

record! {
    /// The message's last words about itself.
    MessageDelta {
        must delta: MessageEnd = "delta",
        may usage: Usage = "usage",
        may context_management: Raw = "context_management",
    }
}

record! {
    /// How a message ended.
    MessageEnd { may stop_reason: String = "stop_reason", may stop_sequence: String = "stop_sequence" }
}

record! {
    /// The message is whole.
    MessageStop {}
}

record! {
    /// A sign of life.
    Ping {}
}

record! {
    /// The stream broke.
    StreamError { must error: Raw = "error" }
}

tagged! {
    /// What a delta adds.
    Delta by "type" {
        Text(TextDelta) = "text_delta",
        InputJson(InputJsonDelta) = "input_json_delta",
        Thinking(ThinkingDelta) = "thinking_delta",
        Signature(SignatureDelta) = "signature_delta",
        Citations(CitationsDelta) = "citations_delta",
    }
}

record! {
    /// More text.
    TextDelta { must text: String = "text" }
}

record! {
    /// More of a tool's input, as a piece of JSON text.
    InputJsonDelta { must partial_json: String = "partial_json" }
}

record! {
    /// More thinking.
    ThinkingDelta { must thinking: String = "thinking" }
}

record! {
    /// The signature of the thinking before.
    SignatureDelta { must signature: String = "signature" }
}

record! {
    /// A citation.
    CitationsDelta { must citation: Raw = "citation" }
}
