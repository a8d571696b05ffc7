//! Options as the CLI's arguments: a pure function, in the order the official Python SDK writes them.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Options, SettingSource, Skills, SystemPrompt, Thinking, Tools};
use crate::error::{Error, Result};

/// Arguments being written.
struct Argv(Vec<String>);

impl Argv {
    fn flag(&mut self, name: &str, on: bool) {
        if on {
            self.0.push(name.into());
        }
    }

    fn pair(&mut self, name: &str, value: Option<impl Into<String>>) {
        if let Some(value) = value {
            self.0.extend([name.into(), value.into()]);
        }
    }

    fn list(&mut self, name: &str, values: &[String]) {
        self.pair(name, (!values.is_empty()).then(|| values.join(",")));
    }

    /// In one word: a value that begins with a dash can never be taken for another flag.
    fn joined(&mut self, name: &str, value: Option<impl AsRef<str>>) {
        if let Some(value) = value {
            self.0.push(format!("{name}={}", value.as_ref()));
        }
    }
}

impl Options {
    /// The arguments after the program. An error says which options contradict each other.
    pub fn argv(&self) -> Result<Vec<String>> {
        let mut argv = Argv(["--output-format", "stream-json", "--verbose"].map(String::from).into());
        self.prompt_args(&mut argv);
        self.tool_args(&mut argv)?;
        self.model_args(&mut argv);
        self.session_args(&mut argv)?;
        self.surroundings_args(&mut argv);
        self.stream_args(&mut argv);
        self.extra(&mut argv);
        self.thinking_args(&mut argv);
        argv.pair("--json-schema", self.json_schema.as_ref().map(Value::to_string));
        argv.0.extend(["--input-format", "stream-json"].map(String::from));
        Ok(argv.0)
    }

    fn prompt_args(&self, argv: &mut Argv) {
        match &self.system_prompt {
            SystemPrompt::Empty => argv.pair("--system-prompt", Some("")),
            SystemPrompt::ClaudeCode => {}
            SystemPrompt::Append(text) => argv.pair("--append-system-prompt", Some(text)),
            SystemPrompt::Text(text) => argv.pair("--system-prompt", Some(text)),
            SystemPrompt::File(path) => argv.pair("--system-prompt-file", Some(shown(path))),
        }
    }

    fn tool_args(&self, argv: &mut Argv) -> Result<()> {
        match &self.tools {
            None => {}
            Some(Tools::ClaudeCode) => argv.pair("--tools", Some("default")),
            Some(Tools::Only(names)) => argv.pair("--tools", Some(names.join(","))),
        }
        argv.list("--allowedTools", &self.allowed()?);
        argv.pair("--max-turns", self.max_turns.filter(|turns| *turns > 0).map(|turns| turns.to_string()));
        // `{:?}` keeps the `.0` of a whole number, as the SDKs do.
        argv.pair("--max-budget-usd", self.max_budget_usd.map(|dollars| format!("{dollars:?}")));
        argv.list("--disallowedTools", &self.disallowed_tools);
        argv.pair("--task-budget", self.task_budget.map(|tokens| tokens.to_string()));
        Ok(())
    }

    fn allowed(&self) -> Result<Vec<String>> {
        let mut allowed = self.allowed_tools.clone();
        let rules = match &self.skills {
            None => Vec::new(),
            Some(Skills::All) => vec!["Skill".to_owned()],
            Some(Skills::Only(names)) => names.iter().map(|name| skill_rule(name)).collect::<Result<_>>()?,
        };
        for rule in rules {
            if !allowed.contains(&rule) {
                allowed.push(rule);
            }
        }
        Ok(allowed)
    }

    fn model_args(&self, argv: &mut Argv) {
        argv.pair("--model", self.model.as_deref());
        argv.pair("--fallback-model", self.fallback_model.as_deref());
        argv.list("--betas", &self.betas);
        let stdio = self.judge.as_ref().map(|_| "stdio");
        argv.pair("--permission-prompt-tool", self.permission_prompt_tool.as_deref().or(stdio));
        argv.pair("--permission-mode", self.permission_mode.as_ref().map(|mode| mode.as_str()));
        argv.flag("--allow-dangerously-skip-permissions", self.allow_bypass);
    }

    fn session_args(&self, argv: &mut Argv) -> Result<()> {
        if self.judge.is_some() && self.permission_prompt_tool.is_some() {
            return Err(Error::Option("can_use_tool and permission_prompt_tool exclude each other".into()));
        }
        argv.flag("--continue", self.continue_latest);
        argv.joined("--resume", self.resume.as_ref());
        argv.joined("--session-id", self.session_id.as_ref());
        argv.pair("--settings", self.settings_arg()?);
        Ok(())
    }

    /// The sandbox is part of the settings, so both together become one JSON text.
    fn settings_arg(&self) -> Result<Option<String>> {
        let Some(sandbox) = &self.sandbox else { return Ok(self.settings.clone()) };
        let mut settings = match self.settings.as_deref().map(str::trim) {
            None => Map::new(),
            Some(text) if text.starts_with('{') => serde_json::from_str(text)?,
            Some(path) => {
                let path = self.cwd.as_deref().unwrap_or(Path::new("")).join(path);
                let text = std::fs::read_to_string(&path).map_err(|source| Error::File { path, source })?;
                serde_json::from_str(text.trim_start_matches('\u{feff}'))?
            }
        };
        settings.insert("sandbox".into(), sandbox.clone());
        Ok(Some(Value::Object(settings).to_string()))
    }

    fn surroundings_args(&self, argv: &mut Argv) {
        for path in &self.add_dirs {
            argv.pair("--add-dir", Some(shown(path)));
        }
        let mut servers: Map<String, Value> =
            self.mcp_servers.iter().map(|(name, config)| (name.clone(), config.value())).collect();
        for name in self.servers.keys() {
            servers.insert(name.clone(), json!({"type": "sdk", "name": name}));
        }
        argv.pair("--mcp-config", self.mcp_config.as_deref());
        argv.pair("--mcp-config", (!servers.is_empty()).then(|| json!({"mcpServers": servers}).to_string()));
    }

    fn stream_args(&self, argv: &mut Argv) {
        argv.flag("--include-partial-messages", self.partial_messages);
        argv.flag("--include-hook-events", self.hook_events);
        argv.flag("--strict-mcp-config", self.strict_mcp_config);
        argv.flag("--fork-session", self.fork);
        argv.joined("--resume-session-at", self.resume_at.as_ref());
        argv.joined("--resume-drops-turn", self.resume_drops_turn.as_ref());
        argv.flag("--session-mirror", self.session_mirror);
        argv.flag("--replay-user-messages", self.replay_user_messages);
        argv.flag("--no-session-persistence", self.no_persistence);
        argv.joined("--setting-sources", self.sources());
        for path in &self.plugin_dirs {
            argv.pair("--plugin-dir", Some(shown(path)));
        }
        argv.pair("--agent", self.agent.as_deref());
        argv.pair("--debug-file", self.debug_file.as_deref().map(shown));
    }

    fn sources(&self) -> Option<String> {
        // Skills live in the settings' folders, so asking for skills asks for those.
        let of_skills = self.skills.as_ref().map(|_| vec![SettingSource::User, SettingSource::Project]);
        let sources = self.setting_sources.clone().or(of_skills)?;
        Some(sources.iter().map(SettingSource::as_str).collect::<Vec<_>>().join(","))
    }

    fn extra(&self, argv: &mut Argv) {
        for (name, value) in &self.extra_args {
            match value {
                None => argv.flag(&format!("--{name}"), true),
                Some(value) if value.starts_with('-') => argv.joined(&format!("--{name}"), Some(value)),
                Some(value) => argv.pair(&format!("--{name}"), Some(value)),
            }
        }
    }

    fn thinking_args(&self, argv: &mut Argv) {
        match &self.thinking {
            None => {}
            Some(Thinking::Adaptive) => argv.pair("--thinking", Some("adaptive")),
            Some(Thinking::Disabled) => argv.pair("--thinking", Some("disabled")),
            Some(Thinking::Budget(tokens)) => argv.pair("--max-thinking-tokens", Some(tokens.to_string())),
        }
        let shown = self.thinking_display.as_deref().filter(|_| self.thinking != Some(Thinking::Disabled));
        argv.pair("--thinking-display", shown);
        argv.pair("--effort", self.effort.as_ref().map(|effort| effort.as_str()));
    }
}

/// A name with a bracket or a comma would become another rule.
fn skill_rule(name: &str) -> Result<String> {
    if name.is_empty() || name.contains(['(', ')', ',']) || name.contains(char::is_control) {
        return Err(Error::Option(format!("`{name}` cannot be the name of a skill")));
    }
    Ok(format!("Skill({name})"))
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
