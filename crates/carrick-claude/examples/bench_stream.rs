//! The SDK's figures: parse throughput beside bare serde_json and the Python SDK, start overhead, memory.
//!
//! `cargo run --release -p carrick-claude --example bench_stream -- [--mb 100] [--python PATH] [--start]`, where PATH is a Python
//! with `claude-agent-sdk` installed. CPU time is compared, not wall time: the machine may be shared.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a load program fails by panicking")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a load program talks to the person who typed it"
)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use carrick_claude::{Client, Frame, Lines, Options};
use carrick_testkit::api::Api;
use carrick_testkit::claude::{Claude, ClaudeHome};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

const ROUNDS: usize = 5;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    let option =
        |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).cloned();
    let megabytes: usize = option("--mb").map_or(100, |text| text.parse().unwrap());
    if args.iter().any(|arg| arg == "--start") {
        return start().await;
    }
    println!("memory: {}", memory(1_000_000).await);
    let stream = stream(megabytes * 1_000_000);
    println!(
        "stream: {} MB, {} frames",
        stream.len() / 1_000_000,
        stream.iter().filter(|b| **b == b'\n').count()
    );
    throughput(&stream).await;
    whole(&stream, option("--python").as_deref()).await;
    drop(stream);
    start().await;
}

/// A long session: mostly deltas by number, mostly tool results by size, as in life.
fn stream(bytes: usize) -> Vec<u8> {
    let (id, uuid) = ("7a566676-91cc-4d04-8413-a1f85a978f97", "5ac47dd9-0b23-446f-bad3-4093d6e164fa");
    let around = |kind: &str, key: &str, inner: Value| {
        let mut frame = json!({"type": kind, "session_id": id, "parent_tool_use_id": null, "uuid": uuid});
        frame.as_object_mut().unwrap().insert(key.into(), inner);
        frame
    };
    let line = "    let answer = self.inbox.pop().await; // \"quoted\", then a\ttab\n";
    let message = |block: Value| {
        json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-5-5",
        "content": [block], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1}})
    };
    let mut turn = Vec::new();
    for piece in line.repeat(8).as_bytes().chunks(16) {
        let delta = json!({"type": "text_delta", "text": String::from_utf8_lossy(piece)});
        turn.push(around(
            "stream_event",
            "event",
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        ));
    }
    turn.push(around("assistant", "message", message(json!({"type": "text", "text": line.repeat(8)}))));
    let input = json!({"file_path": "/home/user/project/src/main.rs", "old_string": line.repeat(5), "new_string": line.repeat(6)});
    turn.push(around(
        "assistant",
        "message",
        message(json!({"type": "tool_use", "id": "t", "name": "Edit", "input": input})),
    ));
    let result =
        json!({"tool_use_id": "t", "type": "tool_result", "content": line.repeat(100), "is_error": false});
    let mut user = around("user", "message", json!({"role": "user", "content": [result]}));
    user["tool_use_result"] = json!({"stdout": line.repeat(60), "stderr": "", "interrupted": false});
    turn.push(user);
    turn.push(json!({"duration_api_ms": 75, "stop_reason": "end_turn", "session_id": id, "total_cost_usd": 0.00014,
        "usage": {"input_tokens": 10, "output_tokens": 5}, "is_error": false, "num_turns": 1, "subtype": "success",
        "result": line.repeat(4), "type": "result", "duration_ms": 95, "uuid": uuid}));
    // As the CLI writes them: the tag first, except in results.
    let text: Vec<String> = turn.iter().map(tag_first).collect();
    let text = text.join("\n") + "\n";
    text.repeat(bytes / text.len() + 1).into_bytes()
}

fn tag_first(frame: &Value) -> String {
    let kind = frame["type"].clone();
    let rest: Vec<String> = frame
        .as_object()
        .unwrap()
        .iter()
        .filter(|(key, _)| *key != "type")
        .map(|(key, value)| format!("{}:{}", json!(key), inner_tag_first(value)))
        .collect();
    if kind == "result" {
        return format!("{{{},\"type\":{kind}}}", rest.join(","));
    }
    format!("{{\"type\":{kind},{}}}", rest.join(","))
}

fn inner_tag_first(value: &Value) -> String {
    match value {
        Value::Object(object) if object.contains_key("type") => tag_first(value),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(inner_tag_first).collect::<Vec<_>>().join(","))
        }
        Value::Object(object) => {
            let fields: Vec<String> = object
                .iter()
                .map(|(key, value)| format!("{}:{}", json!(key), inner_tag_first(value)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        other => other.to_string(),
    }
}

async fn throughput(stream: &[u8]) {
    let mut rows: Vec<(&str, Vec<f64>)> = Vec::new();
    let mut add = |name: &'static str, rate: f64| match rows.iter_mut().find(|(row, _)| *row == name) {
        Some((_, rates)) => rates.push(rate),
        None => rows.push((name, vec![rate])),
    };
    let rate = |seconds: f64| stream.len() as f64 / 1e6 / seconds;
    for _ in 0..ROUNDS {
        let began = cpu();
        let mut lines = Lines::new(stream);
        let mut count = 0;
        while let Some(line) = lines.next().await.unwrap() {
            count += line.len();
        }
        assert!(count > 0);
        add("lines only", rate(cpu() - began));

        let began = cpu();
        let mut lines = Lines::new(stream);
        while let Some(line) = lines.next().await.unwrap() {
            std::hint::black_box(Frame::parse(line).unwrap());
        }
        add("carrick-claude", rate(cpu() - began));

        let split: Vec<&[u8]> = stream.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        let began = cpu();
        for line in &split {
            std::hint::black_box(serde_json::from_slice::<Frame>(line).unwrap());
        }
        add("serde_json, the same types", rate(cpu() - began));

        let began = cpu();
        for line in &split {
            std::hint::black_box(serde_json::from_slice::<Derived>(line).unwrap());
        }
        add("serde_json, derived types", rate(cpu() - began));

        let began = cpu();
        for line in &split {
            std::hint::black_box(serde_json::from_slice::<Value>(line).unwrap());
        }
        add("serde_json, Value", rate(cpu() - began));
    }
    for (name, mut rates) in rows {
        rates.sort_by(f64::total_cmp);
        println!("parse: {name}: {:.0} MB per CPU-second", rates[rates.len() / 2]);
    }
}

/// What somebody would write by hand with derive: typed, but what it does not know is lost.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, reason = "only parsed")]
enum Derived {
    Assistant {
        message: DerivedMessage,
        parent_tool_use_id: Option<String>,
        session_id: String,
        uuid: String,
    },
    User {
        message: DerivedMessage,
        parent_tool_use_id: Option<String>,
        session_id: String,
        uuid: String,
        tool_use_result: Option<Value>,
    },
    StreamEvent {
        event: Value,
        session_id: String,
        uuid: String,
    },
    Result {
        subtype: String,
        is_error: bool,
        result: String,
        total_cost_usd: f64,
        session_id: String,
        usage: Value,
    },
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "only parsed")]
struct DerivedMessage {
    id: Option<String>,
    role: String,
    model: Option<String>,
    content: Vec<DerivedBlock>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, reason = "only parsed")]
enum DerivedBlock {
    Text { text: String },
    ToolUse { id: String, name: String, input: Value },
    ToolResult { tool_use_id: String, content: Value, is_error: Option<bool> },
}

const PYTHON: &str = "
import asyncio, sys, time
from claude_agent_sdk import ClaudeAgentOptions, query
async def main():
    count = 0
    async for message in query(prompt='go', options=ClaudeAgentOptions(cli_path=sys.argv[1])):
        count += 1
    return count
began = time.process_time()
count = asyncio.run(main())
print(time.process_time() - began, count)
";

/// Plays the CLI: answers the greeting, then says everything at once.
const STUB: &str = r#"#!/bin/sh
read -r line
id=$(printf '%s' "$line" | sed 's/.*"request_id": *"\([^"]*\)".*/\1/')
echo '{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{}}}'
read -r line
exec cat "$STREAM"
"#;

/// The whole way from the pipe to the caller, of both SDKs, in CPU seconds of their own process.
async fn whole(stream: &[u8], python: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let (file, stub) = (folder.path().join("stream"), folder.path().join("claude"));
    std::fs::write(&file, stream).unwrap();
    std::fs::write(&stub, STUB.replace("$STREAM", file.to_str().unwrap())).unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&stub).status().unwrap().success());
    let megabytes = stream.len() as f64 / 1e6;
    let mut rates = Vec::new();
    for _ in 0..ROUNDS {
        let (began, mut frames) = (process_cpu(), 0);
        let mut answer = carrick_claude::query("go", Options::new().program(&stub));
        while let Some(frame) = answer.next().await {
            std::hint::black_box(frame.unwrap());
            frames += 1;
        }
        assert!(frames > 1000);
        rates.push(megabytes / (process_cpu() - began));
    }
    rates.sort_by(f64::total_cmp);
    println!("whole way: carrick-claude: {:.0} MB per CPU-second", rates[rates.len() / 2]);
    if let Some(python) = python {
        let out = Command::new(python).args(["-c", PYTHON]).arg(&stub).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        let Some(seconds) = text.split(' ').next().and_then(|text| text.parse::<f64>().ok()) else {
            return eprintln!("{}", String::from_utf8_lossy(&out.stderr));
        };
        println!("whole way: Python SDK: {:.0} MB per CPU-second", megabytes / seconds);
    }
}

/// Seconds of this process, with all threads, user and system, in ticks of 10 ms.
fn process_cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// Seconds this thread has been on a processor.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

/// Memory of a whole client after a tenth of the frames and after all of them.
async fn memory(frames: usize) -> String {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let double = tokio::spawn(async move {
        let (reads, mut writes) = tokio::io::split(theirs);
        let mut lines = Lines::new(reads);
        let first: Value = serde_json::from_slice(lines.next().await.unwrap().unwrap()).unwrap();
        let answer = json!({"type": "control_response", "response": {"subtype": "success", "request_id": first["request_id"], "response": {}}});
        writes.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
        let delta = json!({"type": "text_delta", "text": "some more words"});
        let event = json!({"type": "content_block_delta", "index": 0, "delta": delta});
        let line = json!({"type": "stream_event", "event": event, "session_id": "s", "uuid": "u"})
            .to_string()
            + "\n";
        for _ in 0..frames {
            writes.write_all(line.as_bytes()).await.unwrap();
        }
    });
    let (reads, writes) = tokio::io::split(ours);
    let client = Client::over(reads, writes, Options::new()).await.unwrap();
    let (mut seen, mut early) = (0, 0);
    while let Some(frame) = client.receive().await {
        frame.unwrap();
        seen += 1;
        if seen == frames / 10 {
            early = rss();
        }
    }
    double.await.unwrap();
    assert_eq!(seen, frames);
    format!("{} KiB after {} frames, {} KiB after {frames}", early, frames / 10, rss())
}

fn rss() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// From nothing to the CLI's first answer: bare pipes against [`Client::start`], by turns.
async fn start() {
    let folder = tempfile::tempdir().unwrap();
    let stub = folder.path().join("claude");
    let answer =
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"req_1","response":{}}}"#;
    std::fs::write(&stub, format!("#!/bin/sh\nread -r line\necho '{answer}'\nread -r line\n")).unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&stub).status().unwrap().success());
    compare("a stub", Options::new().program(&stub), &stub, 40, |command| command).await;

    let (api, claude) = (Api::start().unwrap(), Claude::find().unwrap());
    let home = ClaudeHome::new(&api).unwrap();
    let options = Options::new().program(claude.path()).clear_env().envs(home.env()).cwd(home.project());
    let (env, project) = (home.env(), home.project());
    compare("the CLI", options, claude.path(), 25, |command| {
        command.env_clear().envs(env.clone()).current_dir(&project)
    })
    .await;
}

async fn compare(
    what: &str,
    options: Options,
    program: &Path,
    rounds: usize,
    around: impl Fn(&mut Command) -> &mut Command,
) {
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // By turns, so that neither always comes after the other.
        if round % 2 == 0 {
            bare.push(bare_start(&options, program, &around));
            ours.push(our_start(&options).await);
        } else {
            ours.push(our_start(&options).await);
            bare.push(bare_start(&options, program, &around));
        }
    }
    let (bare, ours) = (quartiles(bare), quartiles(ours));
    let more = |at: usize| ours[at] - bare[at];
    println!(
        "start of {what}: bare {:.1} ms, carrick-claude {:.1} ms, {:+.1} ms (best of {rounds}: {:+.1} ms)",
        bare[1],
        ours[1],
        more(1),
        more(0)
    );
}

fn bare_start(options: &Options, program: &Path, around: impl Fn(&mut Command) -> &mut Command) -> Duration {
    let began = Instant::now();
    let mut command = Command::new(program);
    command.args(options.argv().unwrap()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // The same variables, because some of them change what the CLI does at its start.
    around(&mut command)
        .env("CLAUDE_CODE_ENTRYPOINT", "sdk-rs")
        .env("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1");
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let hello = json!({"subtype": "initialize", "hooks": null});
    writeln!(stdin, "{}", json!({"type": "control_request", "request_id": "req_1", "request": hello}))
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let took = began.elapsed();
    drop(stdin);
    child.wait().unwrap();
    took
}

async fn our_start(options: &Options) -> Duration {
    let began = Instant::now();
    let client = Client::start(options.clone()).await.unwrap();
    let took = began.elapsed();
    client.close().await.unwrap();
    took
}

/// The best and the median, in milliseconds.
fn quartiles(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort();
    [times[0], times[times.len() / 2]].map(|time| time.as_secs_f64() * 1e3)
}
