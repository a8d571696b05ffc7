//! Asking one server what is wrong with a file as it is now: never about an older one, never longer than allowed.

use std::time::Duration;

use carrick_core::Diagnostic;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::able::{Asking, TSSERVER};
use super::connection::Refusal;
use super::documents::Sheet;
use super::papers::Word;
use super::server::{Server, Session};
use super::wire::{Pulled, WireDiagnostic, address};

/// A server that left so many questions unanswered …
const MISSES: u32 = 3;
/// … is waited for only so long, until it speaks again.
const LITTLE: Duration = Duration::from_millis(100);
/// Before a server that was disturbed is asked again.
const BREATH: Duration = Duration::from_millis(20);

impl Server {
    /// What the server says about this version; `None` when it has not said anything about it in time.
    pub(super) async fn fresh(&self, sheet: &Sheet, until: Instant) -> Option<Vec<Diagnostic>> {
        let until = if self.state().misses < MISSES { until } else { until.min(Instant::now() + LITTLE) };
        let session = self.session(until).await?;
        self.show(&session, sheet);
        let spoken = match session.able.asking {
            Asking::Push => self.pushed(sheet, until).await,
            Asking::Pull => self.pulled(&session, sheet, until).await,
            Asking::TsServer => self.ask_tsserver(&session, sheet, until).await,
        };
        let mut state = self.state();
        state.misses = if spoken.is_some() { 0 } else { state.misses + 1 };
        spoken?;
        state.papers.all(&sheet.real, sheet.version)
    }

    /// Waits for what the server says by itself.
    async fn pushed(&self, sheet: &Sheet, until: Instant) -> Option<()> {
        loop {
            let word = self.wait(until, |state| match state.papers.word(&sheet.real, sheet.version) {
                Word::None => None,
                word => Some(word),
            });
            match word.await? {
                Word::Perhaps(quiet_at) if quiet_at <= until => sleep(quiet_at - Instant::now()).await,
                Word::Final(_) => return Some(()),
                _ => return None,
            }
        }
    }

    async fn pulled(&self, session: &Session, sheet: &Sheet, until: Instant) -> Option<()> {
        loop {
            let mut params = json!({ "textDocument": { "uri": address(&sheet.real) } });
            let known = self.state().papers.answer_id(&sheet.real).map(String::from);
            for (key, value) in
                [("identifier", session.able.diagnostic_name()), ("previousResultId", known.as_deref())]
            {
                if let (Some(value), Some(params)) = (value, params.as_object_mut()) {
                    params.insert(key.into(), value.into());
                }
            }
            match session.connection.request("textDocument/diagnostic", params, until).await {
                Ok(answer) => return self.learn(session, sheet, serde_json::from_value(answer).ok()?),
                Err(refusal) => again(&refusal, until).await?,
            }
        }
    }

    fn learn(&self, session: &Session, sheet: &Sheet, pulled: Pulled) -> Option<()> {
        let (mut told, encoding) = (None, session.able.encoding);
        self.change(|state| {
            let before = state.papers.all(&sheet.real, sheet.version);
            if pulled.kind == "unchanged" {
                state.papers.answer_same(&sheet.real, sheet.version);
            } else {
                state.papers.answer(&sheet.real, sheet.version, pulled.result_id, &pulled.items, encoding);
            }
            told = Some(before != state.papers.all(&sheet.real, sheet.version));
        });
        if told == Some(true) {
            self.tell(sheet);
        }
        Some(())
    }

    /// Both kinds of errors that TypeScript knows, from its own server.
    async fn ask_tsserver(&self, session: &Session, sheet: &Sheet, until: Instant) -> Option<()> {
        let ask = |command: &'static str| async move {
            loop {
                let about = json!({ "file": sheet.real, "includeLinePosition": true });
                let params = json!({ "command": TSSERVER, "arguments": [command, about] });
                match session.connection.request("workspace/executeCommand", params, until).await {
                    Ok(answer) => return Some(answer),
                    Err(refusal) => again(&refusal, until).await?,
                }
            }
        };
        let commands = ["syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync"];
        let [syntax, meaning, hints] = commands.map(ask);
        let (syntax, meaning, hints) = tokio::join!(syntax, meaning, hints);
        let answers = [syntax?, meaning?, hints?];
        let items = answers
            .iter()
            .map(|answer| answer.get("body").and_then(Value::as_array))
            .collect::<Option<Vec<_>>>()?;
        let items = items.into_iter().flatten().filter_map(of_tsserver).collect();
        self.learn(session, sheet, Pulled { kind: "full".into(), result_id: None, items })
    }

    fn tell(&self, sheet: &Sheet) {
        self.told(&sheet.real);
    }
}

/// Waits a moment before the same question, if it is worth asking again.
async fn again(refusal: &Refusal, until: Instant) -> Option<()> {
    let worth = refusal.is_passing() && Instant::now() + BREATH < until;
    if worth {
        sleep(BREATH).await;
    }
    worth.then_some(())
}

/// TypeScript counts from 1, and says what the protocol says in other words.
fn of_tsserver(raw: &Value) -> Option<WireDiagnostic> {
    let place = |name: &str| {
        let at = raw.get(name)?;
        let number = |key: &str| at.get(key)?.as_u64()?.checked_sub(1);
        Some(json!({ "line": number("line")?, "character": number("offset")? }))
    };
    let severity = match raw.get("category").and_then(Value::as_str) {
        Some("error") => 1,
        Some("warning") => 2,
        Some("message") => 3,
        _ => 4,
    };
    let diagnostic = json!({
        "range": { "start": place("startLocation")?, "end": place("endLocation")? },
        "severity": severity,
        "code": raw.get("code"),
        "source": "typescript",
        "message": raw.get("message"),
    });
    serde_json::from_value(diagnostic).ok()
}

#[cfg(test)]
mod tests {
    use carrick_core::{Position, Range};

    use super::*;

    #[test]
    fn what_typescript_says_is_put_in_the_protocols_words() {
        let raw = json!({"message": "no", "category": "error", "code": 2322, "start": 6, "length": 1,
            "startLocation": {"line": 1, "offset": 7}, "endLocation": {"line": 1, "offset": 8}});
        let read = of_tsserver(&raw).unwrap();
        assert_eq!(Range::from(read.range), Range::new(Position::new(0, 6), Position::new(0, 7)));
        assert_eq!(read.code().as_deref(), Some("2322"));
        assert!(of_tsserver(&json!({"message": "no place"})).is_none());
    }
}
