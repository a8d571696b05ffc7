//! A language server that does what the text of a file says, so that tests can have one that crashes, hangs, is slow
//! or speaks out of turn. Every `wrong` in a file is an error.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a program of tests fails by panicking"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::time::Duration;

use serde_json::{Value, json};

/// `encoding=utf-8|utf-16|utf-32`, `push=versioned|plain`, `pull`, `deaf`, `slow=MS`, `start=MS`, from the command line.
fn option(name: &str) -> Option<String> {
    std::env::args().skip(1).find_map(|word| match word.split_once('=') {
        Some((key, value)) if key == name => Some(value.to_owned()),
        None if word == name => Some(String::new()),
        _ => None,
    })
}

fn pause(name: &str) {
    if let Some(time) = option(name).and_then(|time| time.parse().ok()) {
        // waits: slowness itself is what is asked for
        std::thread::sleep(Duration::from_millis(time));
    }
}

fn main() {
    let mut server = Server::default();
    while let Some(message) = receive() {
        server.hear(&message);
    }
}

fn receive() -> Option<Value> {
    let mut input = std::io::stdin().lock();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(':') {
            Some((_, value)) => length = value.trim().parse().ok()?,
            None => break,
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn send(message: &Value) {
    let body = message.to_string();
    let mut output = std::io::stdout().lock();
    let _ = write!(output, "Content-Length: {}\r\n\r\n{body}", body.len());
    let _ = output.flush();
}

#[derive(Default)]
struct Server {
    files: BTreeMap<String, (i64, String)>,
}

impl Server {
    fn hear(&mut self, message: &Value) {
        let params = &message["params"];
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match message["method"].as_str().unwrap_or_default() {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str().unwrap();
                self.take(uri, params["textDocument"]["version"].as_i64().unwrap(), text);
            }
            "textDocument/didChange" => {
                let text = params["contentChanges"][0]["text"].as_str().unwrap();
                self.take(uri, params["textDocument"]["version"].as_i64().unwrap(), text);
            }
            "textDocument/didClose" => drop(self.files.remove(uri)),
            "exit" => std::process::exit(0),
            _ if message["id"].is_null() => {}
            method => self.answer(method, &message["id"], params),
        }
    }

    fn take(&mut self, uri: &str, version: i64, text: &str) {
        self.files.insert(uri.into(), (version, text.into()));
        if text.contains("crash!") {
            eprint_line("I was told to crash");
            std::process::exit(3);
        }
        while text.contains("hang!") && option("deaf").is_some() {
            // waits: for ever, deaf even to the end of the input
            std::thread::sleep(Duration::from_secs(1));
        }
        if option("pull").is_some() || text.contains("silent!") {
            return;
        }
        let (uri, text) = (uri.to_owned(), text.to_owned());
        // Published from aside, as servers do that are busy with something else.
        std::thread::spawn(move || {
            pause("slow");
            publish(&uri, version, &text);
            if text.contains("stale!") {
                publish(&uri, version - 1, "wrong wrong wrong");
            }
        });
    }

    fn answer(&self, method: &str, id: &Value, params: &Value) {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let text = self.files.get(uri).map_or("", |(_, text)| text);
        let result = match method {
            "initialize" => {
                pause("start");
                introduction()
            }
            "shutdown" => Value::Null,
            "textDocument/diagnostic" => {
                pause("slow");
                json!({ "kind": "full", "items": wrongs(text) })
            }
            "textDocument/formatting" => json!(edits(text, "ugly", "pretty")),
            "textDocument/hover" => {
                json!({ "contents": { "kind": "markdown", "value": format!("**{}**", word(text, params)) } })
            }
            "textDocument/definition" => json!(places(uri, text, &word(text, params)).first()),
            "textDocument/references" => json!(places(uri, text, &word(text, params))),
            "textDocument/documentSymbol" => symbols(text),
            "textDocument/rename" => self.rename(&word(text, params), params["newName"].as_str().unwrap()),
            _ => {
                let error = json!({ "code": -32601, "message": "no such method" });
                return send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
            }
        };
        send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    fn rename(&self, from: &str, to: &str) -> Value {
        let changes: BTreeMap<&String, Value> =
            self.files.iter().map(|(uri, (_, text))| (uri, json!(edits(text, from, to)))).collect();
        json!({ "changes": changes })
    }
}

#[allow(clippy::print_stderr, reason = "last words")]
fn eprint_line(text: &str) {
    eprintln!("{text}");
}

fn introduction() -> Value {
    let mut capabilities = json!({
        "textDocumentSync": { "openClose": true, "change": 1, "save": true },
        "positionEncoding": option("encoding").unwrap_or_else(|| "utf-16".into()),
        "documentFormattingProvider": true, "hoverProvider": true, "definitionProvider": true,
        "referencesProvider": true, "documentSymbolProvider": true, "renameProvider": true,
    });
    if option("pull").is_some() {
        capabilities["diagnosticProvider"] = json!({ "interFileDependencies": false });
    }
    json!({ "capabilities": capabilities })
}

fn publish(uri: &str, version: i64, text: &str) {
    let mut params = json!({ "uri": uri, "version": version, "diagnostics": wrongs(text) });
    if option("push").as_deref() == Some("plain") {
        params.as_object_mut().unwrap().remove("version");
    }
    send(&json!({ "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params }));
}

/// How many units of the encoding a text has.
fn units(text: &str) -> usize {
    match option("encoding").as_deref() {
        Some("utf-8") => text.len(),
        Some("utf-32") => text.chars().count(),
        _ => text.encode_utf16().count(),
    }
}

fn ranges(text: &str, word: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (at, _) in line.match_indices(word) {
            let place = |byte: usize| json!({ "line": number, "character": units(&line[..byte]) });
            all.push(json!({ "start": place(at), "end": place(at + word.len()) }));
        }
    }
    all
}

fn wrongs(text: &str) -> Vec<Value> {
    let one = |range| json!({ "range": range, "severity": 1, "message": "that is wrong", "source": "scripted", "code": 7 });
    ranges(text, "wrong").into_iter().map(one).collect()
}

fn edits(text: &str, from: &str, to: &str) -> Vec<Value> {
    ranges(text, from).into_iter().map(|range| json!({ "range": range, "newText": to })).collect()
}

fn places(uri: &str, text: &str, word: &str) -> Vec<Value> {
    ranges(text, word).into_iter().map(|range| json!({ "uri": uri, "range": range })).collect()
}

fn symbols(text: &str) -> Value {
    let names = text.lines().filter_map(|line| line.strip_prefix("def "));
    let one = |name: &str| {
        let range = ranges(text, name).remove(0);
        json!({ "name": name, "kind": 12, "range": range, "selectionRange": range })
    };
    names.map(one).collect()
}

/// The word at the asked place.
fn word(text: &str, params: &Value) -> String {
    let at = &params["position"];
    let line = text.lines().nth(at["line"].as_u64().unwrap() as usize).unwrap_or_default();
    let wanted = at["character"].as_u64().unwrap() as usize;
    let start =
        line.char_indices().find(|(byte, _)| units(&line[..*byte]) >= wanted).map_or(0, |(byte, _)| byte);
    line[start..].chars().take_while(|char| char.is_alphanumeric()).collect()
}
