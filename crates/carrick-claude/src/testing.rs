//! A double of the CLI for tests of programs that use this crate: it plays a transcript, no process, no API.
//!
//! A transcript has one JSON value to a line: `<` before what the CLI says, `>` before what it must be told. What
//! is told may have more fields than the transcript's line. `"$id"` in a `<` line stands for the `request_id` of
//! the last request. Lines that begin with `#` and empty lines are for the reader. The `initialize` request is
//! answered without being written down.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use carrick_claude::{Options, testing};
//!
//! let transcript = r#"
//!     > {"type":"user","message":{"content":"hello"}}
//!     < {"type":"result","subtype":"success","is_error":false,"result":"hi"}
//! "#;
//! let (client, played) = testing::play(transcript, Options::new()).await.unwrap();
//! client.send("hello").await.unwrap();
//! assert_eq!(client.answer().await.unwrap().0, "hi");
//! played.finish().await.unwrap();
//! # });
//! ```

use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::lines::Lines;
use crate::options::Options;

/// In flight; a double that is not read from waits, as the CLI does.
const PIPE: usize = 64 * 1024;

/// A transcript being played.
#[derive(Debug)]
pub struct Played(JoinHandle<Result<()>>);

impl Played {
    /// Waits until everything was said and told; an error names the first line that was not.
    pub async fn finish(self) -> Result<()> {
        self.0.await.map_err(|error| Error::Protocol(error.to_string()))?
    }
}

/// Starts a session with a double that plays `transcript`.
pub async fn play(transcript: &str, options: Options) -> Result<(Client, Played)> {
    let steps = transcript.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let steps = steps.map(Step::parse).collect::<Result<Vec<_>>>()?;
    let (ours, theirs) = tokio::io::duplex(PIPE);
    let played = Played(tokio::spawn(act(theirs, steps)));
    let (reads, writes) = tokio::io::split(ours);
    Ok((Client::over(reads, writes, options).await?, played))
}

enum Step {
    Says(String),
    IsTold(Value),
}

impl Step {
    fn parse(line: &str) -> Result<Self> {
        match line.split_at_checked(1) {
            Some(("<", text)) => Ok(Self::Says(text.trim().to_owned())),
            Some((">", text)) => Ok(Self::IsTold(serde_json::from_str(text)?)),
            _ => Err(Error::Option(format!("a line of a transcript begins with `<` or `>`: {line}"))),
        }
    }
}

async fn act(pipe: DuplexStream, steps: Vec<Step>) -> Result<()> {
    let (reads, mut writes) = tokio::io::split(pipe);
    let mut told = Told { lines: Lines::new(reads), id: String::new() };
    let first = told.next().await?;
    let response = json!({"subtype": "success", "request_id": first.get("request_id"), "response": {}});
    say(&mut writes, &json!({"type": "control_response", "response": response}).to_string()).await?;
    for step in steps {
        match step {
            Step::Says(text) => say(&mut writes, &text.replace("$id", &told.id)).await?,
            Step::IsTold(expected) => {
                let got = told.next().await?;
                if !covers(&got, &expected) {
                    return Err(Error::Protocol(format!("expected {expected}, was told {got}")));
                }
            }
        }
    }
    Ok(())
}

struct Told {
    lines: Lines<ReadHalf<DuplexStream>>,
    id: String,
}

impl Told {
    async fn next(&mut self) -> Result<Value> {
        let Some(line) = self.lines.next().await? else {
            return Err(Error::Protocol("the session ended before the transcript did".into()));
        };
        let value: Value = serde_json::from_slice(line)?;
        if let Some(id) = value.get("request_id").and_then(Value::as_str) {
            self.id = id.to_owned();
        }
        Ok(value)
    }
}

async fn say(to: &mut WriteHalf<DuplexStream>, line: &str) -> Result<()> {
    to.write_all(line.as_bytes()).await?;
    Ok(to.write_all(b"\n").await?)
}

/// Whether `got` says at least what `expected` says.
fn covers(got: &Value, expected: &Value) -> bool {
    match (got, expected) {
        (Value::Object(got), Value::Object(expected)) => {
            expected.iter().all(|(key, value)| got.get(key).is_some_and(|got| covers(got, value)))
        }
        (Value::Array(got), Value::Array(expected)) => {
            got.len() == expected.len()
                && got.iter().zip(expected).all(|(got, expected)| covers(got, expected))
        }
        _ => got == expected,
    }
}
