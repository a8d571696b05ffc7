//! The names that are defined in a file, or anywhere in the workspace.

use std::path::{Path, PathBuf};
use std::time::Duration;

use carrick_core::{EditorError, Range, Skill, Symbol, SymbolsOf};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::Headless;
use super::encoding::Encoding;
use super::navigate::patiently;
use super::wire::{WireRange, address, file, kind, one_or_many};
use super::within;

const LIMIT: Duration = Duration::from_secs(20);
/// The most names that are given back; more say nothing.
const MOST: usize = 500;
/// How deep names stand in names, at most.
const DEPTH: usize = 8;

/// A name in either of the protocol's two forms: with children, or with a place of its own.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireSymbol {
    name: String,
    kind: u64,
    selection_range: Option<WireRange>,
    container_name: Option<String>,
    location: Option<Placed>,
    #[serde(default)]
    children: Vec<WireSymbol>,
}

#[derive(Debug, Deserialize)]
struct Placed {
    uri: String,
    range: Option<WireRange>,
}

/// A name before its place is looked up.
struct Found {
    name: String,
    kind: &'static str,
    container: Option<String>,
    path: PathBuf,
    range: Range,
}

impl Headless {
    pub(super) async fn list_symbols(&self, of: SymbolsOf) -> Result<Vec<Symbol>, EditorError> {
        match of {
            SymbolsOf::File(path) => self.of_file(path).await,
            SymbolsOf::Workspace(query) => self.of_workspace(query).await,
        }
    }

    async fn of_file(&self, path: PathBuf) -> Result<Vec<Symbol>, EditorError> {
        let (sheet, servers) = self.open_for(&path).await?;
        let until = within(LIMIT);
        for server in servers {
            let Some(session) = server.session(until).await.filter(|it| it.able.can(Skill::Symbols)) else {
                continue;
            };
            server.show(&session, &sheet);
            let params = json!({ "textDocument": { "uri": address(&sheet.real) } });
            let answer = patiently(&session, "textDocument/documentSymbol", params, until).await;
            let answer = answer.map_err(|refusal| EditorError::Failed(refusal.words(server.name())))?;
            let mut found = Vec::new();
            for symbol in one_or_many(answer) {
                flatten(symbol, None, &sheet.real, DEPTH, &mut found);
            }
            return self.placed(found, session.able.encoding).await;
        }
        Err(EditorError::Failed(format!("no language server lists the names of {}", path.display())))
    }

    /// Only servers that run are asked: which others could be meant is not known without a file.
    async fn of_workspace(&self, query: String) -> Result<Vec<Symbol>, EditorError> {
        let servers = self.languages.inner().servers.clone();
        let (until, mut all, mut asked) = (within(LIMIT), Vec::new(), false);
        for server in servers {
            let Some(session) = server.running().filter(|session| session.able.can_search()) else {
                continue;
            };
            asked = true;
            let answer = patiently(&session, "workspace/symbol", json!({ "query": query }), until).await;
            let mut found = Vec::new();
            for symbol in one_or_many::<WireSymbol>(answer.unwrap_or(Value::Null)) {
                flatten(symbol, None, Path::new(""), DEPTH, &mut found);
            }
            all.extend(self.placed(found, session.able.encoding).await?);
        }
        let first = "no language server runs yet that could search: ask for the names of a file of that language first";
        if asked { Ok(all) } else { Err(EditorError::Failed(first.into())) }
    }

    async fn placed(&self, mut found: Vec<Found>, encoding: Encoding) -> Result<Vec<Symbol>, EditorError> {
        found.truncate(MOST);
        let mut symbols = Vec::with_capacity(found.len());
        let places = found.iter().map(|found| (found.path.clone(), found.range)).collect();
        let mut locations = self.read_places(places, encoding).await?.into_iter().peekable();
        for Found { name, kind, container, path, .. } in found {
            // Private files are left out of the places, so that a name may have none.
            if let Some(location) = locations.next_if(|location| location.path == path) {
                symbols.push(Symbol { name, kind, container, location });
            }
        }
        Ok(symbols)
    }
}

fn flatten(symbol: WireSymbol, inside: Option<&str>, path: &Path, depth: usize, found: &mut Vec<Found>) {
    let WireSymbol { name, kind: number, selection_range, container_name, location, children } = symbol;
    let (path, range) = match location {
        Some(placed) => match file(&placed.uri) {
            Some(path) => (path, placed.range),
            None => return,
        },
        None => (path.into(), selection_range),
    };
    let container = container_name.or_else(|| inside.map(String::from)).filter(|name| !name.is_empty());
    let range = range.map(Range::from).unwrap_or_default();
    found.push(Found { name: name.clone(), kind: kind(number), container, path: path.clone(), range });
    if depth > 0 {
        children.into_iter().for_each(|child| flatten(child, Some(&name), &path, depth - 1, found));
    }
}
