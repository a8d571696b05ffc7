"""Writes down what the official Python SDK passes to the CLI, for the table in main.rs to be held against.

Each case is run with a stub in the CLI's place, which records its arguments and the first line it is told, and
ends with its input. `cargo xtask test` installs the SDK; the test runs this file with it.
"""

import asyncio
import json
import os
import stat
import sys
import tempfile

from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    create_sdk_mcp_server,
    tool,
)

STUB = """#!%s
import json, os, sys
first = sys.stdin.readline()
with open(os.environ["RECORD"], "w") as out:
    json.dump({"argv": sys.argv[1:], "first": json.loads(first)}, out)
answer = {"subtype": "success", "request_id": json.loads(first)["request_id"], "response": {}}
print(json.dumps({"type": "control_response", "response": answer}), flush=True)
sys.stdin.read()
"""


async def allow(_name, _input, _context):
    return PermissionResultAllow()


async def hook(_input, _tool_use, _context):
    return {}


@tool("add", "Adds", {"a": float})
async def add(_args):
    return {"content": []}


UUID = "11111111-2222-4333-8444-555555555555"
CASES = {
    "nothing": {},
    "system_prompt_text": {"system_prompt": "Be brief."},
    "system_prompt_file": {"system_prompt": {"type": "file", "path": "/home/me/prompt.md"}},
    "system_prompt_preset": {"system_prompt": {"type": "preset", "preset": "claude_code"}},
    "system_prompt_append": {"system_prompt": {"type": "preset", "preset": "claude_code", "append": "And kind."}},
    "exclude_dynamic_sections": {"system_prompt": {"type": "preset", "preset": "claude_code", "exclude_dynamic_sections": True}},
    "tools_none": {"tools": []},
    "tools_some": {"tools": ["Read", "Bash"]},
    "tools_preset": {"tools": {"type": "preset", "preset": "claude_code"}},
    "allowed_tools": {"allowed_tools": ["Read", "Bash(git *)"]},
    "disallowed_tools": {"disallowed_tools": ["WebFetch", "Bash"]},
    "max_turns": {"max_turns": 3},
    "max_budget_whole": {"max_budget_usd": 1.0},
    "max_budget_fraction": {"max_budget_usd": 0.25},
    "task_budget": {"task_budget": {"total": 5000}},
    "model": {"model": "opus", "fallback_model": "sonnet"},
    "betas": {"betas": ["context-1m-2025-08-07", "another"]},
    "permission_mode": {"permission_mode": "acceptEdits"},
    "permission_prompt_tool": {"permission_prompt_tool_name": "mcp__judge__ask"},
    "can_use_tool": {"can_use_tool": allow},
    "continue": {"continue_conversation": True},
    "resume": {"resume": UUID},
    "resume_fork": {"resume": UUID, "fork_session": True},
    "resume_at": {"resume": UUID, "resume_session_at": UUID},
    "session_id": {"session_id": UUID},
    "settings_json": {"settings": '{"a": 1}'},
    "settings_file": {"settings": "/home/me/settings.json"},
    "sandbox": {"sandbox": {"enabled": True}},
    "settings_and_sandbox": {"settings": '{"a": 1}', "sandbox": {"enabled": True}},
    "add_dirs": {"add_dirs": ["/home/me/a", "/home/me/b"]},
    "mcp_stdio": {"mcp_servers": {"one": {"command": "run", "args": ["x"], "env": {"A": "b"}}}},
    "mcp_http": {"mcp_servers": {"two": {"type": "http", "url": "http://127.0.0.1:1/mcp", "headers": {"X": "y"}}}},
    "mcp_sse": {"mcp_servers": {"three": {"type": "sse", "url": "http://127.0.0.1:1/sse"}}},
    "mcp_sdk": {"mcp_servers": {"calc": create_sdk_mcp_server("calc", tools=[add])}},
    "mcp_file": {"mcp_servers": "/home/me/mcp.json"},
    "strict_mcp_config": {"strict_mcp_config": True},
    "partial_messages": {"include_partial_messages": True},
    "hook_events": {"include_hook_events": True},
    "setting_sources": {"setting_sources": ["user", "local"]},
    "setting_sources_none": {"setting_sources": []},
    "plugins": {"plugins": [{"type": "local", "path": "/home/me/p1"}, {"type": "local", "path": "/home/me/p2"}]},
    "skills_all": {"skills": "all"},
    "skills_some": {"skills": ["pdf", "tides"], "allowed_tools": ["Read"]},
    "extra_args": {"extra_args": {"debug-to-stderr": None, "name": "value", "dash": "-x"}},
    "thinking_adaptive": {"thinking": {"type": "adaptive", "display": "summarized"}},
    "thinking_budget": {"thinking": {"type": "enabled", "budget_tokens": 2048}},
    "thinking_disabled": {"thinking": {"type": "disabled"}},
    "effort": {"effort": "high"},
    "json_schema": {"output_format": {"type": "json_schema", "schema": {"type": "object", "properties": {"n": {"type": "number"}}}}},
    "agents": {"agents": {"reviewer": AgentDefinition(description="Reviews", prompt="Review.", tools=["Read"], model="haiku")}},
    "hooks": {"hooks": {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[hook], timeout=5)], "Stop": [HookMatcher(hooks=[hook])]}},
    "many": {"model": "opus", "allowed_tools": ["Read"], "max_turns": 2, "add_dirs": ["/home/me/a"], "effort": "low",
             "include_partial_messages": True, "permission_mode": "plan", "system_prompt": "Hi."},
}


async def record(kwargs, folder):
    stub, out = os.path.join(folder, "stub"), os.path.join(folder, "record.json")
    with open(stub, "w") as file:
        file.write(STUB % sys.executable)
    os.chmod(stub, os.stat(stub).st_mode | stat.S_IXUSR)
    client = ClaudeSDKClient(ClaudeAgentOptions(cli_path=stub, env={"RECORD": out}, **kwargs))
    await client.connect()
    await client.disconnect()
    with open(out) as file:
        recorded = json.load(file)
    initialize = {k: v for k, v in recorded["first"]["request"].items() if k != "subtype"}
    return {"argv": recorded["argv"], "initialize": initialize}


def main():
    # The stub has no version to tell.
    os.environ["CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK"] = "1"
    table = {}
    for name, kwargs in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            table[name] = asyncio.run(record(kwargs, folder))
    print(json.dumps(table))


main()
