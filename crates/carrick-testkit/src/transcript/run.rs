//! Walking through a transcript with a real peer.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::matching::{Names, compare, substitute, substitute_text};
use super::parse::{Transcript, What};
use super::peer::{Actions, Peer};

/// How long an expected message may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs `transcript`: sends its `-->`, does its `$`, and checks that its `<--` come, in order and nothing else.
///
/// At the end nothing may be left unread, as if the last line were `<-- none`, unless it is `<-- closed`.
pub async fn run(transcript: &Transcript, peer: &mut impl Peer, actions: &mut impl Actions) -> Result<()> {
    let names = transcript.names.clone();
    let mut run = Run { peer, actions, names, waiting: VecDeque::new(), pings: 0 };
    for step in &transcript.steps {
        run.step(&step.what).await.with_context(|| format!("{}:{}", transcript.name, step.line))?;
    }
    let open = transcript.steps.last().is_some_and(|step| step.what != What::ExpectClosed);
    if open {
        run.expect_nothing().await.with_context(|| format!("{}: after the last line", transcript.name))?;
    }
    Ok(())
}

struct Run<'a, P, A> {
    peer: &'a mut P,
    actions: &'a mut A,
    names: Names,
    /// What came while something else was looked for.
    waiting: VecDeque<Value>,
    pings: u32,
}

impl<P: Peer, A: Actions> Run<'_, P, A> {
    async fn step(&mut self, what: &What) -> Result<()> {
        match what {
            What::Send(message) => self.peer.send(substitute(message, &self.names).to_string()).await,
            What::SendRaw(text) => self.peer.send(substitute_text(text, &self.names)).await,
            What::Act(line) => {
                let line = substitute_text(line, &self.names);
                self.actions.act(&line).await.with_context(|| format!("$ {line}"))
            }
            What::Expect(message) => self.expect(message).await,
            What::ExpectSomewhere(message) => self.expect_somewhere(message).await,
            What::ExpectNothing => self.expect_nothing().await,
            What::ExpectClosed => self.expect_closed().await,
        }
    }

    async fn expect(&mut self, message: &Value) -> Result<()> {
        let expected = substitute(message, &self.names);
        let actual = self.next().await.with_context(|| format!("expected {expected}"))?;
        match compare(&expected, &actual) {
            Ok(captured) => self.names.extend(captured),
            Err(difference) => bail!("another message came than expected\n{difference}"),
        }
        Ok(())
    }

    async fn expect_somewhere(&mut self, message: &Value) -> Result<()> {
        let expected = substitute(message, &self.names);
        let mut seen = VecDeque::new();
        loop {
            let next = self.next().await;
            let actual = next.with_context(|| format!("expected {expected}\nonly these came: {seen:#?}"))?;
            match compare(&expected, &actual) {
                Ok(captured) => {
                    self.names.extend(captured);
                    seen.append(&mut self.waiting);
                    self.waiting = seen;
                    return Ok(());
                }
                Err(_) => seen.push_back(actual),
            }
        }
    }

    async fn next(&mut self) -> Result<Value> {
        match self.waiting.pop_front() {
            Some(message) => Ok(message),
            None => self.peer.receive(PATIENCE).await?.context("the other side has gone"),
        }
    }

    /// Sends a ping: when its answer is the next thing to come, nothing else was on the way.
    async fn expect_nothing(&mut self) -> Result<()> {
        self.pings += 1;
        let id = format!("quiet-{}", self.pings);
        self.peer.send(json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string()).await?;
        let actual = self.next().await.context("a ping was not answered")?;
        let answer = actual["id"] == id && actual.get("method").is_none();
        ensure!(answer, "nothing was expected, but this came:\n{actual:#}");
        Ok(())
    }

    async fn expect_closed(&mut self) -> Result<()> {
        let last = match self.waiting.pop_front() {
            Some(message) => Some(message),
            None => self.peer.receive(PATIENCE).await.context("expected the connection to end")?,
        };
        match last {
            None => Ok(()),
            Some(message) => bail!("expected the connection to end, but this came:\n{message:#}"),
        }
    }
}
