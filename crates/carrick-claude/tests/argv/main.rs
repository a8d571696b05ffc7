//! Options become the arguments and the `initialize` request that the official Python SDK makes of the same ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use carrick_claude::{
    Agent, Effort, Hook, HookEvent, HookOutput, McpConfig, Options, Permission, PermissionMode,
    SettingSource, Skills, SystemPrompt, Thinking, ToolServer, Tools,
};
use serde_json::{Value, json};

/// Asks the official SDK for the same cases.
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/argv/record.py");

const UUID: &str = "11111111-2222-4333-8444-555555555555";

/// The same cases as in `record.py`, by the same names.
fn cases() -> Vec<(&'static str, Options)> {
    let o = Options::new;
    let nothing = |_| async { HookOutput::new() };
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let pair = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let mut reviewer = Agent::new("Reviews", "Review.");
    (reviewer.tools, reviewer.model) = (Some(list(&["Read"])), Some("haiku".into()));
    let stdio = McpConfig::Stdio { command: "run".into(), args: list(&["x"]), env: pair("A", "b") };
    let http = McpConfig::Http { url: "http://127.0.0.1:1/mcp".into(), headers: pair("X", "y") };
    let sse = McpConfig::Sse { url: "http://127.0.0.1:1/sse".into(), headers: Vec::new() };
    let strict = Hook::new(nothing).matcher("Bash").timeout(Duration::from_secs(5));
    vec![
        ("nothing", o()),
        ("system_prompt_text", o().system_prompt(SystemPrompt::Text("Be brief.".into()))),
        ("system_prompt_file", o().system_prompt(SystemPrompt::File("/home/me/prompt.md".into()))),
        ("system_prompt_preset", o().system_prompt(SystemPrompt::ClaudeCode)),
        ("system_prompt_append", o().system_prompt(SystemPrompt::Append("And kind.".into()))),
        ("exclude_dynamic_sections", o().system_prompt(SystemPrompt::ClaudeCode).exclude_dynamic_sections()),
        ("tools_none", o().tools(Tools::Only(Vec::new()))),
        ("tools_some", o().tools(Tools::Only(list(&["Read", "Bash"])))),
        ("tools_preset", o().tools(Tools::ClaudeCode)),
        ("allowed_tools", o().allowed_tools(["Read", "Bash(git *)"])),
        ("disallowed_tools", o().disallowed_tools(["WebFetch", "Bash"])),
        ("max_turns", o().max_turns(3)),
        ("max_budget_whole", o().max_budget_usd(1.0)),
        ("max_budget_fraction", o().max_budget_usd(0.25)),
        ("task_budget", o().task_budget(5000)),
        ("model", o().model("opus").fallback_model("sonnet")),
        ("betas", o().betas(["context-1m-2025-08-07", "another"])),
        ("permission_mode", o().permission_mode(PermissionMode::AcceptEdits)),
        ("permission_prompt_tool", o().permission_prompt_tool("mcp__judge__ask")),
        ("can_use_tool", o().can_use_tool(|_| async { Permission::allow() })),
        ("continue", o().continue_latest()),
        ("resume", o().resume(UUID)),
        ("resume_fork", o().resume(UUID).fork_session()),
        ("resume_at", o().resume(UUID).resume_session_at(UUID)),
        ("session_id", o().session_id(UUID)),
        ("settings_json", o().settings("{\"a\": 1}")),
        ("settings_file", o().settings("/home/me/settings.json")),
        ("sandbox", o().sandbox(json!({"enabled": true}))),
        ("settings_and_sandbox", o().settings("{\"a\": 1}").sandbox(json!({"enabled": true}))),
        ("add_dirs", o().add_dir("/home/me/a").add_dir("/home/me/b")),
        ("mcp_stdio", o().mcp_server("one", stdio)),
        ("mcp_http", o().mcp_server("two", http)),
        ("mcp_sse", o().mcp_server("three", sse)),
        ("mcp_sdk", o().sdk_server("calc", ToolServer::new("calc", "1.0.0"))),
        ("mcp_file", o().mcp_config("/home/me/mcp.json")),
        ("strict_mcp_config", o().strict_mcp_config()),
        ("partial_messages", o().include_partial_messages()),
        ("hook_events", o().include_hook_events()),
        ("setting_sources", o().setting_sources([SettingSource::User, SettingSource::Local])),
        ("setting_sources_none", o().setting_sources([])),
        ("plugins", o().plugin_dir("/home/me/p1").plugin_dir("/home/me/p2")),
        ("skills_all", o().skills(Skills::All)),
        ("skills_some", o().skills(Skills::Only(list(&["pdf", "tides"]))).allowed_tools(["Read"])),
        (
            "extra_args",
            o().extra_arg("debug-to-stderr", None)
                .extra_arg("name", Some("value".into()))
                .extra_arg("dash", Some("-x".into())),
        ),
        ("thinking_adaptive", o().thinking(Thinking::Adaptive).thinking_display("summarized")),
        ("thinking_budget", o().thinking(Thinking::Budget(2048))),
        ("thinking_disabled", o().thinking(Thinking::Disabled)),
        ("effort", o().effort(Effort::High)),
        ("json_schema", o().json_schema(json!({"type": "object", "properties": {"n": {"type": "number"}}}))),
        ("agents", o().add_agent("reviewer", reviewer)),
        ("hooks", o().hook(HookEvent::PreToolUse, strict).hook(HookEvent::Stop, Hook::new(nothing))),
        (
            "many",
            o().model("opus")
                .allowed_tools(["Read"])
                .max_turns(2)
                .add_dir("/home/me/a")
                .effort(Effort::Low)
                .include_partial_messages()
                .permission_mode(PermissionMode::Plan)
                .system_prompt(SystemPrompt::Text("Hi.".into())),
        ),
    ]
}

#[test]
fn every_option_becomes_what_the_official_sdk_makes_of_it() {
    let mut recorded = record();
    for (name, options) in cases() {
        let expected = recorded.remove(name).unwrap_or_else(|| panic!("`{name}` was not recorded"));
        let argv: Vec<Value> = options.argv().unwrap().iter().map(|arg| meaning(arg)).collect();
        let theirs: Vec<Value> =
            expected["argv"].as_array().unwrap().iter().map(|arg| meaning(arg.as_str().unwrap())).collect();
        assert_eq!(argv, theirs, "{name}");
        assert_eq!(Value::Object(options.initialize_fields()), expected["initialize"], "{name}");
    }
    assert!(recorded.is_empty(), "no case for {:?}", recorded.keys());
}

/// What the official SDK does, by the names of the cases.
fn record() -> BTreeMap<String, Value> {
    let python = carrick_testkit::tools::folder("claude-agent-sdk").unwrap().join("python3");
    let out = Command::new(python).arg(RECORD).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// JSON means the same whatever its blanks.
fn meaning(arg: &str) -> Value {
    if arg.starts_with('{') { serde_json::from_str(arg).unwrap() } else { arg.into() }
}

#[test]
fn what_the_official_sdk_has_no_option_for() {
    let options = Options::new()
        .system_prompt(SystemPrompt::ClaudeCode)
        .allow_bypass_permissions()
        .replay_user_messages()
        .no_session_persistence()
        .session_mirror()
        .resume_drops_turn("x")
        .agent("reviewer")
        .debug_file("/home/me/log");
    let expected = "--output-format stream-json --verbose --allow-dangerously-skip-permissions \
        --resume-drops-turn=x --session-mirror --replay-user-messages --no-session-persistence --agent reviewer \
        --debug-file /home/me/log --input-format stream-json";
    assert_eq!(options.argv().unwrap().join(" "), expected);
}

#[test]
fn options_that_cannot_be_are_refused() {
    let both = Options::new().can_use_tool(|_| async { Permission::allow() }).permission_prompt_tool("x");
    assert!(both.argv().unwrap_err().to_string().contains("exclude each other"));
    let skill = Options::new().skills(Skills::Only(vec!["a),Bash(rm *".into()]));
    assert!(skill.argv().unwrap_err().to_string().contains("cannot be the name of a skill"));
}
