//! Hooks: functions of the caller's that the CLI calls at its own turning points.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::frame::{HookEvent, HookInput};

type Call = Arc<dyn Fn(HookInput) -> BoxFuture<'static, HookOutput> + Send + Sync>;

/// A function for one event, and when it applies.
#[derive(Clone)]
pub struct Hook {
    call: Call,
    matcher: Option<String>,
    timeout: Option<Duration>,
    block_on_failure: bool,
}

impl Hook {
    /// Calls `call` every time the event happens.
    pub fn new<F, R>(call: F) -> Self
    where
        F: Fn(HookInput) -> R + Send + Sync + 'static,
        R: Future<Output = HookOutput> + Send + 'static,
    {
        let call: Call = Arc::new(move |input| Box::pin(call(input)));
        Self { call, matcher: None, timeout: None, block_on_failure: false }
    }

    /// Only for tools (or sources, or reasons: whatever the event matches) that fit, for example `Edit|Write`.
    #[must_use]
    pub fn matcher(mut self, matcher: impl Into<String>) -> Self {
        self.matcher = Some(matcher.into());
        self
    }

    /// How long the CLI waits for the answer; it rounds to seconds.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Treats a hook that fails or takes too long as a refusal, where the CLI would go on otherwise.
    #[must_use]
    pub fn block_on_failure(mut self) -> Self {
        self.block_on_failure = true;
        self
    }

    fn announcement(&self, id: &str) -> Value {
        let mut matcher = json!({"matcher": self.matcher, "hookCallbackIds": [id]});
        if let Some(object) = matcher.as_object_mut() {
            if let Some(timeout) = self.timeout {
                object.insert("timeout".into(), timeout.as_secs().max(1).into());
            }
            if self.block_on_failure {
                object.insert("onFailure".into(), "block".into());
            }
        }
        matcher
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Hook").field("matcher", &self.matcher).field("timeout", &self.timeout).finish()
    }
}

/// What a hook answers: nothing in particular, unless something is set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HookOutput {
    top: Map<String, Value>,
    specific: Map<String, Value>,
}

impl HookOutput {
    /// Nothing to say.
    pub fn new() -> Self {
        Self::default()
    }

    /// Any field of the hook output, for those without a method here.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.top.insert(name.into(), value.into());
        self
    }

    /// Any field of `hookSpecificOutput`; the event's name is put beside it.
    #[must_use]
    pub fn specific(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.specific.insert(name.into(), value.into());
        self
    }

    /// Stops the session's work; the person reads `reason`.
    #[must_use]
    pub fn stop(self, reason: impl Into<String>) -> Self {
        self.field("continue", false).field("stopReason", reason.into())
    }

    /// Shows the person a message.
    #[must_use]
    pub fn system_message(self, message: impl Into<String>) -> Self {
        self.field("systemMessage", message.into())
    }

    /// Blocks what is about to happen (or, after a tool, tells the model that it should not have).
    #[must_use]
    pub fn block(self, reason: impl Into<String>) -> Self {
        self.field("decision", "block").field("reason", reason.into())
    }

    /// Gives the model something to read.
    #[must_use]
    pub fn context(self, text: impl Into<String>) -> Self {
        self.specific("additionalContext", text.into())
    }

    /// PreToolUse: allows the tool without asking.
    #[must_use]
    pub fn allow(self, reason: impl Into<String>) -> Self {
        self.specific("permissionDecision", "allow").specific("permissionDecisionReason", reason.into())
    }

    /// PreToolUse: refuses the tool.
    #[must_use]
    pub fn deny(self, reason: impl Into<String>) -> Self {
        self.specific("permissionDecision", "deny").specific("permissionDecisionReason", reason.into())
    }

    /// PreToolUse: asks the person, whatever the rules say.
    #[must_use]
    pub fn ask(self, reason: impl Into<String>) -> Self {
        self.specific("permissionDecision", "ask").specific("permissionDecisionReason", reason.into())
    }

    /// PreToolUse: another input for the tool.
    #[must_use]
    pub fn updated_input(self, input: impl Into<Value>) -> Self {
        self.specific("updatedInput", input)
    }

    /// Goes on at once, while the hook's own work continues for at most `timeout`.
    #[must_use]
    pub fn later(self, timeout: Duration) -> Self {
        let millis = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        self.field("async", true).field("asyncTimeout", millis)
    }

    fn reply(self, event: &HookEvent) -> Value {
        let mut reply = self.top;
        if !self.specific.is_empty() {
            let mut specific = self.specific;
            specific.insert("hookEventName".into(), event.as_str().into());
            reply.insert("hookSpecificOutput".into(), specific.into());
        }
        reply.into()
    }
}

/// Every hook of a session, by the id the CLI calls it with: its place in the list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hooks(Vec<(HookEvent, Hook)>);

impl Hooks {
    pub(crate) fn add(&mut self, event: HookEvent, hook: Hook) {
        self.0.push((event, hook));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The `hooks` field of `initialize`.
    pub(crate) fn announcement(&self) -> Option<Value> {
        if self.0.is_empty() {
            return None;
        }
        let mut events: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (index, (event, hook)) in self.0.iter().enumerate() {
            events.entry(event.as_str()).or_default().push(hook.announcement(&id(index)));
        }
        Some(json!(events))
    }

    pub(crate) async fn call(&self, callback: &str, input: HookInput) -> Result<Value, String> {
        let index = (0..self.0.len()).find(|index| id(*index) == callback);
        let Some((_, hook)) = index.and_then(|index| self.0.get(index)) else {
            return Err(format!("there is no hook `{callback}`"));
        };
        let event = input.event.clone();
        Ok((hook.call)(input).await.reply(&event))
    }
}

fn id(index: usize) -> String {
    format!("hook_{index}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_announced_by_event_with_what_limits_them() {
        let mut hooks = Hooks::default();
        hooks.add(HookEvent::PreToolUse, Hook::new(|_| async { HookOutput::new() }).matcher("Bash"));
        let strict = Hook::new(|_| async { HookOutput::new() }).timeout(Duration::from_secs(5));
        hooks.add(HookEvent::PreToolUse, strict.block_on_failure());
        let expected = json!({"PreToolUse": [
            {"matcher": "Bash", "hookCallbackIds": ["hook_0"]},
            {"matcher": null, "hookCallbackIds": ["hook_1"], "timeout": 5, "onFailure": "block"},
        ]});
        assert_eq!(hooks.announcement(), Some(expected));
        assert_eq!(Hooks::default().announcement(), None);
    }

    #[test]
    fn what_is_special_to_an_event_carries_its_name() {
        let reply = HookOutput::new().deny("no").system_message("look").reply(&HookEvent::PreToolUse);
        let specific = json!({"hookEventName": "PreToolUse", "permissionDecision": "deny",
            "permissionDecisionReason": "no"});
        assert_eq!(reply, json!({"systemMessage": "look", "hookSpecificOutput": specific}));
        assert_eq!(HookOutput::new().reply(&HookEvent::Stop), json!({}));
    }

    #[test]
    fn all_events_are_known() {
        assert_eq!(HookEvent::KNOWN.len(), 33);
    }
}
