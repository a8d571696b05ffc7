//! What a person and the model say to each other: `user` and `assistant` frames and the messages in them.

use serde_json::Number;

use super::block::{Block, Content};
use crate::json::{Raw, record, words};

record! {
    /// A message of the Messages API.
    Message {
        may id: String = "id",
        may kind: String = "type",
        may role: String = "role",
        may model: String = "model",
        may content: Content = "content",
        may stop_reason: String = "stop_reason",
        may stop_sequence: String = "stop_sequence",
        may usage: Usage = "usage",
        may context_management: Raw = "context_management",
    }
}

record! {
    /// Tokens of one request, or of a whole turn.
    Usage {
        may input_tokens: u64 = "input_tokens",
        may output_tokens: u64 = "output_tokens",
        may cache_creation_input_tokens: u64 = "cache_creation_input_tokens",
        may cache_read_input_tokens: u64 = "cache_read_input_tokens",
        may service_tier: String = "service_tier",
    }
}

record! {
    /// What one model used and cost.
    ModelUsage {
        may input_tokens: u64 = "inputTokens",
        may output_tokens: u64 = "outputTokens",
        may cache_read_input_tokens: u64 = "cacheReadInputTokens",
        may cache_creation_input_tokens: u64 = "cacheCreationInputTokens",
        may web_search_requests: u64 = "webSearchRequests",
        may cost_usd: Number = "costUSD",
        may context_window: u64 = "contextWindow",
        may max_output_tokens: u64 = "maxOutputTokens",
    }
}

record! {
    /// One block of the model's answer; a message of several blocks comes as several frames with one message id.
    Assistant {
        may message: Message = "message",
        /// The older shape: blocks without a message around them.
        may bare_content: Content = "content",
        /// Beside the older shape's content.
        may bare_model: String = "model",
        /// The tool use of the subagent that speaks.
        may parent_tool_use_id: String = "parent_tool_use_id",
        /// Why the API refused, when it did.
        may error: AssistantError = "error",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
        may timestamp: String = "timestamp",
        may request_id: String = "request_id",
        may user_message_uuid: String = "user_message_uuid",
        may user_message_uuids: Vec<String> = "user_message_uuids",
        may resume_reason: String = "resume_reason",
        may supersedes: Vec<String> = "supersedes",
        may aborted: bool = "aborted",
        may agent_id: String = "agent_id",
        may subagent_type: String = "subagent_type",
        may task_description: String = "task_description",
        may context_usage: Raw = "context_usage",
        may usage_report: Raw = "usage_report",
    }
}

words! {
    /// Why the API did not answer.
    AssistantError {
        AuthenticationFailed = "authentication_failed",
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        AccountOnHold = "account_on_hold",
        VerificationRequired = "verification_required",
        BillingError = "billing_error",
        RateLimit = "rate_limit",
        Overloaded = "overloaded",
        InvalidRequest = "invalid_request",
        ModelNotFound = "model_not_found",
        ServerError = "server_error",
        Unknown = "unknown",
        MaxOutputTokens = "max_output_tokens",
        CloudCredentialError = "cloud_credential_error",
    }
}

record! {
    /// What a person said, or what tools gave back.
    User {
        may message: Message = "message",
        /// The older shape: content without a message around it.
        may bare_content: Content = "content",
        may parent_tool_use_id: String = "parent_tool_use_id",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
        may timestamp: String = "timestamp",
        /// Our own message, told back because of `--replay-user-messages`.
        may is_replay: bool = "isReplay",
        may is_synthetic: bool = "isSynthetic",
        /// The tool's result as the CLI holds it, with more in it than the model sees.
        may tool_use_result: Raw = "tool_use_result",
        may tool_result_meta: Raw = "tool_result_meta",
        may priority: String = "priority",
        may origin: Raw = "origin",
        may should_query: bool = "shouldQuery",
        may client_composed: bool = "client_composed",
        may agent_id: String = "agent_id",
        may subagent_type: String = "subagent_type",
        may task_description: String = "task_description",
        may pasted_content: Raw = "pasted_content",
        may inline_pastes: Vec<String> = "inline_pastes",
        may file_attachments: Raw = "file_attachments",
    }
}

impl User {
    /// A prompt, ready to be sent.
    pub fn prompt(content: impl Into<Content>) -> Self {
        let message =
            Message { role: Some("user".into()), content: Some(content.into()), ..Message::default() };
        let mut user = Self { message: Some(message), session_id: Some(String::new()), ..Self::default() };
        user.extra.push_null("parent_tool_use_id");
        user
    }

    /// The same with an id of the caller's, which makes the CLI tell what becomes of it
    /// ([`crate::frame::CommandLifecycle`]) and lets it be cancelled while it waits.
    #[must_use]
    pub fn with_uuid(mut self, uuid: impl Into<String>) -> Self {
        self.uuid = Some(uuid.into());
        self
    }

    /// What was said, wherever it stands.
    pub fn content(&self) -> Option<&Content> {
        self.message.as_ref().and_then(|message| message.content.as_ref()).or(self.bare_content.as_ref())
    }
}

impl Assistant {
    /// What was said, wherever it stands.
    pub fn content(&self) -> Option<&Content> {
        self.message.as_ref().and_then(|message| message.content.as_ref()).or(self.bare_content.as_ref())
    }

    /// The blocks of the answer.
    pub fn blocks(&self) -> &[Block] {
        self.content().map_or(&[], Content::blocks)
    }

    /// The model that answers, wherever it stands.
    pub fn model(&self) -> Option<&str> {
        let inner = self.message.as_ref().and_then(|message| message.model.as_deref());
        inner.or(self.bare_model.as_deref())
    }
}
