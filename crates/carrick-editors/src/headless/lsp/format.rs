//! Formatting: by the program that the configuration names, else by a language server.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use carrick_core::{Answer, Change, EditorError, Format};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

use super::super::Headless;
use super::documents::Sheet;
use super::edits::apply;
use super::server::Server;
use super::table::{Formatter, Patterns};
use super::wire::{TextEdit, address, one_or_many};
use super::{Languages, within};

/// How long formatting may take; a person or an agent waits for it.
const LIMIT: Duration = Duration::from_secs(10);

impl Languages {
    /// Whether anything here can format, as far as one knows.
    pub(in crate::headless) fn can_format(&self) -> bool {
        self.likely().1
    }
}

impl Format for Headless {
    fn reformat(&self, path: PathBuf) -> Answer<'_, Option<Change>> {
        Box::pin(async move {
            let (sheet, servers) = self.open_for(&path).await?;
            let after = match self.formatter(&sheet) {
                Some((program, formatter)) => run(&program, &formatter, &sheet).await?,
                None => by_server(&sheet, &servers).await?,
            };
            let change = Change { path: sheet.shown, before: sheet.text, after: after.into() };
            Ok(Some(change).filter(|change| change.before != change.after))
        })
    }
}

impl Headless {
    fn formatter(&self, sheet: &Sheet) -> Option<(PathBuf, Formatter)> {
        let table = &self.languages.table;
        let mut covering =
            table.formatters.iter().filter(|formatter| Patterns::of(&formatter.files).cover(&sheet.real));
        covering.find_map(|formatter| Some((table.program(formatter.command.first()?)?, formatter.clone())))
    }
}

async fn by_server(sheet: &Sheet, servers: &[Arc<Server>]) -> Result<String, EditorError> {
    let until = within(LIMIT);
    for server in servers {
        let Some(session) = server.session(until).await.filter(|session| session.able.can_format()) else {
            continue;
        };
        server.show(&session, sheet);
        let params = json!({
            "textDocument": { "uri": address(&sheet.real) },
            "options": { "tabSize": 4, "insertSpaces": !sheet.text.contains("\n\t"), "insertFinalNewline": true },
        });
        let answer = session.connection.request("textDocument/formatting", params, until).await;
        let edits: Vec<TextEdit> = match answer {
            Ok(Value::Null) => Vec::new(),
            Ok(edits) => one_or_many(edits),
            Err(refusal) => return Err(EditorError::Failed(refusal.words(server.name()))),
        };
        let after = apply(&sheet.text, &edits, session.able.encoding);
        return after
            .ok_or_else(|| EditorError::Failed(format!("{} gave edits that overlap", server.name())));
    }
    let shown = sheet.shown.display();
    Err(EditorError::Failed(format!(
        "there is no formatter for {shown}: `carrick doctor` shows what could be installed"
    )))
}

async fn run(program: &std::path::Path, formatter: &Formatter, sheet: &Sheet) -> Result<String, EditorError> {
    let failed = |why: String| EditorError::Failed(format!("the formatter {} {why}", formatter.name));
    let file = sheet.real.to_string_lossy();
    let mut command = Command::new(program);
    command.args(formatter.command.iter().skip(1).map(|word| word.replace("{file}", &file)));
    command.current_dir(sheet.real.parent().unwrap_or(std::path::Path::new("/"))).kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(format!("cannot be started: {error}")))?;
    let input = child.stdin.take();
    let feed = async {
        if let Some(mut input) = input {
            // One that does not read to the end says why in its own words.
            let _ = input.write_all(sheet.text.as_bytes()).await;
        }
    };
    let done = timeout(LIMIT, async { tokio::join!(feed, child.wait_with_output()).1 }).await;
    let output = done.map_err(|_| failed("did not end in time".into()))?;
    let output = output.map_err(|error| failed(format!("failed: {error}")))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).chars().take(400).collect::<String>();
        return Err(failed(format!("failed ({}): {}", output.status, words.trim())));
    }
    String::from_utf8(output.stdout).map_err(|_| failed("gave something that is not text".into()))
}
