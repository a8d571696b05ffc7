//! How a session is started: one builder, each option documented with the flag it becomes.

mod argv;
mod debug;
mod initialize;
mod kinds;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

pub use kinds::*;

use crate::dialog::{Asked, Shown};
use crate::frame::{CanUseTool, Elicitation, HookEvent, UserDialog};
use crate::hooks::{Hook, Hooks};
use crate::mcp::McpServer;
use crate::permission::{Judge, Permission};
use crate::{DialogReply, ElicitationReply};

/// Hears the lines of stderr.
pub(crate) type Hearer = Arc<dyn Fn(&str) + Send + Sync>;

/// How a session is started.
///
/// ```
/// use carrick_claude::{Options, PermissionMode, SystemPrompt};
///
/// let options = Options::new()
///     .system_prompt(SystemPrompt::ClaudeCode)
///     .permission_mode(PermissionMode::AcceptEdits)
///     .allowed_tools(["Read", "Grep"])
///     .max_turns(3);
/// assert!(options.argv().unwrap().ends_with(&["--input-format".into(), "stream-json".into()]));
/// ```
#[derive(Clone, Default)]
pub struct Options {
    pub(crate) program: Option<PathBuf>,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) clear_env: bool,
    pub(crate) on_stderr: Option<Hearer>,
    pub(crate) line_limit: Option<usize>,
    pub(crate) start_timeout: Option<Duration>,

    system_prompt: SystemPrompt,
    tools: Option<Tools>,
    allowed_tools: Vec<String>,
    disallowed_tools: Vec<String>,
    skills: Option<Skills>,
    max_turns: Option<u64>,
    max_budget_usd: Option<f64>,
    task_budget: Option<u64>,
    model: Option<String>,
    fallback_model: Option<String>,
    betas: Vec<String>,
    permission_prompt_tool: Option<String>,
    permission_mode: Option<PermissionMode>,
    allow_bypass: bool,
    continue_latest: bool,
    resume: Option<String>,
    session_id: Option<String>,
    fork: bool,
    resume_at: Option<String>,
    resume_drops_turn: Option<String>,
    settings: Option<String>,
    sandbox: Option<Value>,
    setting_sources: Option<Vec<SettingSource>>,
    add_dirs: Vec<PathBuf>,
    plugin_dirs: Vec<PathBuf>,
    mcp_servers: BTreeMap<String, McpConfig>,
    mcp_config: Option<String>,
    strict_mcp_config: bool,
    pub(crate) partial_messages: bool,
    hook_events: bool,
    replay_user_messages: bool,
    session_mirror: bool,
    no_persistence: bool,
    thinking: Option<Thinking>,
    thinking_display: Option<String>,
    effort: Option<Effort>,
    json_schema: Option<Value>,
    agent: Option<String>,
    debug_file: Option<PathBuf>,
    extra_args: Vec<(String, Option<String>)>,
    pub(crate) file_checkpointing: bool,
    pub(crate) client_app: Option<String>,
    pub(crate) verbatim_prompts: bool,
    agents: BTreeMap<String, Agent>,
    initialize: BTreeMap<String, Value>,

    pub(crate) judge: Option<Judge>,
    pub(crate) hooks: Hooks,
    pub(crate) servers: BTreeMap<String, Arc<dyn McpServer>>,
    pub(crate) asked: Option<Asked>,
    pub(crate) shown: Option<Shown>,
}

/// A setter that stores its argument.
macro_rules! setters {
    ($( $(#[$doc:meta])* $name:ident ( $($arg:ident : $type:ty)? ) => $field:ident = $value:expr; )*) => {
        impl Options {
            $( $(#[$doc])* #[must_use] pub fn $name(mut self $(, $arg: $type)?) -> Self {
                self.$field = $value;
                self
            } )*
        }
    };
}

setters! {
    /// The `claude` to run; without it `PATH` and the usual places are searched.
    program(path: impl Into<PathBuf>) => program = Some(path.into());
    /// The folder to work in; without it ours.
    cwd(path: impl Into<PathBuf>) => cwd = Some(path.into());
    /// Inherits no variable: only those given with [`Options::env`].
    clear_env() => clear_env = true;
    /// The longest line accepted; 64 MiB without it.
    line_limit(bytes: usize) => line_limit = Some(bytes);
    /// How long the CLI may take to start; 60 s without it.
    start_timeout(timeout: Duration) => start_timeout = Some(timeout);
    /// `--system-prompt`, `--system-prompt-file` or `--append-system-prompt`.
    system_prompt(prompt: SystemPrompt) => system_prompt = prompt;
    /// `--tools`: the tools there are at all.
    tools(tools: Tools) => tools = Some(tools);
    /// Skills the model may use: `Skill(…)` rules in `--allowedTools`, the settings that hold them in
    /// `--setting-sources`, and `skills` in `initialize`.
    skills(skills: Skills) => skills = Some(skills);
    /// `--max-turns`: rounds of tool use before the turn ends.
    max_turns(turns: u64) => max_turns = Some(turns);
    /// `--max-budget-usd`: the most a run may cost.
    max_budget_usd(dollars: f64) => max_budget_usd = Some(dollars);
    /// `--task-budget`: tokens a task may use.
    task_budget(tokens: u64) => task_budget = Some(tokens);
    /// `--model`.
    model(model: impl Into<String>) => model = Some(model.into());
    /// `--fallback-model`: when the other one is overloaded.
    fallback_model(model: impl Into<String>) => fallback_model = Some(model.into());
    /// `--permission-prompt-tool`: an MCP tool that decides. [`Options::can_use_tool`] sets it by itself.
    permission_prompt_tool(tool: impl Into<String>) => permission_prompt_tool = Some(tool.into());
    /// `--permission-mode`.
    permission_mode(mode: PermissionMode) => permission_mode = Some(mode);
    /// `--allow-dangerously-skip-permissions`: lets the mode be changed to `bypassPermissions` later.
    allow_bypass_permissions() => allow_bypass = true;
    /// `--continue`: goes on with the folder's latest session.
    continue_latest() => continue_latest = true;
    /// `--resume=`: goes on with this session.
    resume(session: impl Into<String>) => resume = Some(session.into());
    /// `--session-id=`: the id of the new session, a UUID.
    session_id(id: impl Into<String>) => session_id = Some(id.into());
    /// `--fork-session`: goes on under a new id and leaves the resumed session as it is.
    fork_session() => fork = true;
    /// `--resume-session-at=`: goes on after this message.
    resume_session_at(message: impl Into<String>) => resume_at = Some(message.into());
    /// `--resume-drops-turn=`: the turn that resuming is known to leave out.
    resume_drops_turn(message: impl Into<String>) => resume_drops_turn = Some(message.into());
    /// `--settings`: a file, or JSON.
    settings(settings: impl Into<String>) => settings = Some(settings.into());
    /// `sandbox` in `--settings`: what commands may touch.
    sandbox(sandbox: impl Into<Value>) => sandbox = Some(sandbox.into());
    /// `--setting-sources=`: which settings files count; without it the CLI reads all of them.
    setting_sources(sources: impl IntoIterator<Item = SettingSource>) => setting_sources = Some(sources.into_iter().collect());
    /// `--mcp-config`: a file, instead of [`Options::mcp_server`].
    mcp_config(path: impl Into<String>) => mcp_config = Some(path.into());
    /// `--strict-mcp-config`: no MCP servers but those given here.
    strict_mcp_config() => strict_mcp_config = true;
    /// `--include-partial-messages`: tells the answer while it is written.
    include_partial_messages() => partial_messages = true;
    /// `--include-hook-events`: tells of the settings' own hooks.
    include_hook_events() => hook_events = true;
    /// `--replay-user-messages`: tells our own messages back when they are taken up.
    replay_user_messages() => replay_user_messages = true;
    /// `--session-mirror`: sends every transcript line as a frame, too.
    session_mirror() => session_mirror = true;
    /// `--no-session-persistence`: leaves nothing on disk to resume.
    no_session_persistence() => no_persistence = true;
    /// `--thinking` or `--max-thinking-tokens`.
    thinking(thinking: Thinking) => thinking = Some(thinking);
    /// `--thinking-display`: `summarized`, `omitted`, …
    thinking_display(display: impl Into<String>) => thinking_display = Some(display.into());
    /// `--effort`.
    effort(effort: Effort) => effort = Some(effort);
    /// `--json-schema`: the answer must fit; it comes as `structured_output` of the result.
    json_schema(schema: impl Into<Value>) => json_schema = Some(schema.into());
    /// `--agent`: the agent the main thread plays.
    agent(name: impl Into<String>) => agent = Some(name.into());
    /// `--debug-file`: where the CLI writes what it does.
    debug_file(path: impl Into<PathBuf>) => debug_file = Some(path.into());
    /// `CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING`: lets [`crate::Client::rewind_files`] undo.
    file_checkpointing() => file_checkpointing = true;
    /// `CLAUDE_AGENT_SDK_CLIENT_APP`: the application's name.
    client_app(name: impl Into<String>) => client_app = Some(name.into());
    /// Sends prompts as they are: no `@file`, no slash commands.
    verbatim_prompts() => verbatim_prompts = true;
}

impl Options {
    /// The CLI's own ways, no system prompt.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a variable for the CLI; values never appear in `Debug` output.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Sets several variables.
    #[must_use]
    pub fn envs<N: Into<OsString>, V: Into<OsString>>(self, all: impl IntoIterator<Item = (N, V)>) -> Self {
        all.into_iter().fold(self, |options, (name, value)| options.env(name, value))
    }

    /// Hears every line the CLI writes to stderr.
    #[must_use]
    pub fn on_stderr(mut self, hear: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_stderr = Some(Arc::new(hear));
        self
    }

    /// `--allowedTools`: tools and rules that need no permission.
    #[must_use]
    pub fn allowed_tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.allowed_tools.extend(tools.into_iter().map(Into::into));
        self
    }

    /// `--disallowedTools`: tools and rules that are never permitted.
    #[must_use]
    pub fn disallowed_tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.disallowed_tools.extend(tools.into_iter().map(Into::into));
        self
    }

    /// `--betas`: features of the API that are not general yet.
    #[must_use]
    pub fn betas<T: Into<String>>(mut self, betas: impl IntoIterator<Item = T>) -> Self {
        self.betas.extend(betas.into_iter().map(Into::into));
        self
    }

    /// `--add-dir`: another folder the tools may touch.
    #[must_use]
    pub fn add_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.add_dirs.push(path.into());
        self
    }

    /// `--plugin-dir`: a plug-in's folder.
    #[must_use]
    pub fn plugin_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.plugin_dirs.push(path.into());
        self
    }

    /// `--mcp-config`: an MCP server the CLI starts or connects to itself.
    #[must_use]
    pub fn mcp_server(mut self, name: impl Into<String>, config: McpConfig) -> Self {
        self.mcp_servers.insert(name.into(), config);
        self
    }

    /// `--mcp-config` with `"type": "sdk"`: an MCP server in this process. Its tools are `mcp__<name>__<tool>`.
    #[must_use]
    pub fn sdk_server(mut self, name: impl Into<String>, server: impl McpServer) -> Self {
        self.servers.insert(name.into(), Arc::new(server));
        self
    }

    /// Any other flag: `--name`, or `--name value`.
    #[must_use]
    pub fn extra_arg(mut self, name: impl Into<String>, value: Option<String>) -> Self {
        self.extra_args.push((name.into(), value));
        self
    }

    /// `agents` in `initialize`: a subagent the model may call.
    #[must_use]
    pub fn add_agent(mut self, name: impl Into<String>, agent: Agent) -> Self {
        self.agents.insert(name.into(), agent);
        self
    }

    /// Decides tool uses the rules leave open: `--permission-prompt-tool stdio`.
    #[must_use]
    pub fn can_use_tool<F, R>(mut self, judge: F) -> Self
    where
        F: Fn(CanUseTool) -> R + Send + Sync + 'static,
        R: Future<Output = Permission> + Send + 'static,
    {
        self.judge = Some(Arc::new(move |asked| Box::pin(judge(asked))));
        self
    }

    /// `hooks` in `initialize`: calls `hook` at `event`.
    #[must_use]
    pub fn hook(mut self, event: HookEvent, hook: Hook) -> Self {
        self.hooks.add(event, hook);
        self
    }

    /// Answers the questions of MCP servers; without it they are declined.
    #[must_use]
    pub fn on_elicitation<F, R>(mut self, answer: F) -> Self
    where
        F: Fn(Elicitation) -> R + Send + Sync + 'static,
        R: Future<Output = ElicitationReply> + Send + 'static,
    {
        self.asked = Some(Arc::new(move |asked| Box::pin(answer(asked))));
        self
    }

    /// `supportedDialogKinds` in `initialize`: shows dialogs of these kinds; without it they are cancelled.
    #[must_use]
    pub fn on_dialog<K, F, R>(mut self, kinds: impl IntoIterator<Item = K>, show: F) -> Self
    where
        K: Into<String>,
        F: Fn(UserDialog) -> R + Send + Sync + 'static,
        R: Future<Output = DialogReply> + Send + 'static,
    {
        let kinds: Vec<String> = kinds.into_iter().map(Into::into).collect();
        self.shown = Some(Arc::new(move |dialog| Box::pin(show(dialog))));
        self.initialize("supportedDialogKinds", kinds)
    }

    /// `title` in `initialize`: the session's title.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.initialize("title", title.into())
    }

    /// `promptSuggestions` in `initialize`: guesses what the person says next.
    #[must_use]
    pub fn prompt_suggestions(self) -> Self {
        self.initialize("promptSuggestions", true)
    }

    /// `agentProgressSummaries` in `initialize`: says now and then what a subagent is at.
    #[must_use]
    pub fn agent_progress_summaries(self) -> Self {
        self.initialize("agentProgressSummaries", true)
    }

    /// `forwardSubagentText` in `initialize`: tells what subagents say, not only what they use.
    #[must_use]
    pub fn forward_subagent_text(self) -> Self {
        self.initialize("forwardSubagentText", true)
    }

    /// `excludeDynamicSections` in `initialize`: keeps folder, date and the like out of the system prompt.
    #[must_use]
    pub fn exclude_dynamic_sections(self) -> Self {
        self.initialize("excludeDynamicSections", true)
    }

    /// `systemPromptSnapshot` in `initialize`: resumed sessions keep the system prompt they had.
    #[must_use]
    pub fn system_prompt_snapshot(self, keep: bool) -> Self {
        self.initialize("systemPromptSnapshot", keep)
    }

    /// `planModeInstructions` in `initialize`: what plan mode is told.
    #[must_use]
    pub fn plan_mode_instructions(self, text: impl Into<String>) -> Self {
        self.initialize("planModeInstructions", text.into())
    }

    /// Any other field of `initialize`.
    #[must_use]
    pub fn initialize(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.initialize.insert(field.into(), value.into());
        self
    }

    /// Whether the CLI may ask us something while it works, so that stdin must stay open.
    pub(crate) fn answers_requests(&self) -> bool {
        self.judge.is_some()
            || !self.hooks.is_empty()
            || !self.servers.is_empty()
            || self.asked.is_some()
            || self.shown.is_some()
    }
}
