//! Where names are defined and used, what they are, and what would change if they were called something else.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use carrick_core::{Answer, Change, EditorError, Location, Navigate, Range, Skill, Spot, Symbol, SymbolsOf};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::super::Headless;
use super::super::inside::Workspace;
use super::super::look::bytes_of;
use super::connection::Refusal;
use super::documents::Sheet;
use super::edits::apply;
use super::encoding::{Encoding, Lines};
use super::server::{Server, Session};
use super::spot;
use super::wire::{WireLocation, WorkspaceEdit, address, file, marked, one_or_many, position};
use super::{Languages, within};

/// How long a question about a name may take: a server may have to read the whole workspace first.
const LIMIT: Duration = Duration::from_secs(20);
/// Before a server that was disturbed is asked again.
const BREATH: Duration = Duration::from_millis(50);
/// The largest file of which a line is shown, or that is changed by a new name.
const MOST_TEXT: u64 = 4 << 20;

/// A file, and the servers that it has.
pub(super) type Opened = (Sheet, Vec<Arc<Server>>);

impl Languages {
    /// Whether a server can, or one that is installed probably could.
    pub(in crate::headless) fn can(&self, skill: Skill) -> bool {
        let servers = self.inner().servers.clone();
        if servers.iter().filter_map(|server| server.running()).any(|session| session.able.can(skill)) {
            return true;
        }
        self.likely().0
    }
}

impl Navigate for Headless {
    fn can(&self, skill: Skill) -> bool {
        self.languages.can(skill)
    }

    fn definition(&self, spot: Spot) -> Answer<'_, Vec<Location>> {
        Box::pin(self.locations(Skill::Definition, spot, json!({})))
    }

    fn references(&self, spot: Spot, with_definition: bool) -> Answer<'_, Vec<Location>> {
        let more = json!({ "context": { "includeDeclaration": with_definition } });
        Box::pin(self.locations(Skill::References, spot, more))
    }

    fn hover(&self, spot: Spot) -> Answer<'_, Option<String>> {
        Box::pin(async move {
            let mut said = Vec::new();
            for (_, answer) in self.ask(Skill::Hover, "textDocument/hover", spot, &json!({})).await? {
                let text = answer.get("contents").map(marked).unwrap_or_default();
                said.extend(Some(text.trim().to_owned()).filter(|text| !text.is_empty()));
            }
            Ok(Some(said.join("\n\n---\n\n")).filter(|text| !text.is_empty()))
        })
    }

    fn symbols(&self, of: SymbolsOf) -> Answer<'_, Vec<Symbol>> {
        Box::pin(self.list_symbols(of))
    }

    fn rename(&self, spot: Spot, to: String) -> Answer<'_, Vec<Change>> {
        Box::pin(async move {
            let more = json!({ "newName": to });
            for (session, answer) in self.ask(Skill::Rename, "textDocument/rename", spot, &more).await? {
                let edit: Option<WorkspaceEdit> = serde_json::from_value(answer).unwrap_or_default();
                let cannot =
                    || EditorError::Failed("the server would also make or move files: do it by hand".into());
                let files = edit.unwrap_or_default().by_file().ok_or_else(cannot)?;
                if !files.is_empty() {
                    let encoding = session.able.encoding;
                    return self.on_disk(move |workspace| changes(workspace, files, encoding)).await;
                }
            }
            Err(EditorError::Failed("there is nothing to rename at that place".into()))
        })
    }
}

impl Headless {
    /// A file that servers are asked about at the wish of an agent.
    pub(super) async fn open_for(&self, path: &Path) -> Result<Opened, EditorError> {
        let asked = path.to_path_buf();
        let place = self.on_disk(move |workspace| workspace.for_agent(&asked)).await?;
        let opened = self.visit(vec![place.path]).await?.pop();
        opened.ok_or_else(|| {
            let shown = path.display();
            EditorError::Failed(format!("there is no language server for {shown}, or it is not text"))
        })
    }

    /// Asks every server of the file that can; their answers, in the order of the table.
    async fn ask(
        &self,
        skill: Skill,
        method: &'static str,
        spot: Spot,
        more: &Value,
    ) -> Result<Vec<(Arc<Session>, Value)>, EditorError> {
        let (sheet, servers) = self.open_for(&spot.path).await?;
        let at = spot::place(&spot, &sheet.text)?;
        let (until, mut answers, mut refused) = (within(LIMIT), Vec::new(), None);
        for server in servers {
            let Some(session) = server.session(until).await.filter(|session| session.able.can(skill)) else {
                continue;
            };
            server.show(&session, &sheet);
            let at = Lines::of(&sheet.text).for_server(at, session.able.encoding);
            let mut params =
                json!({ "textDocument": { "uri": address(&sheet.real) }, "position": position(at) });
            merge(&mut params, more);
            match patiently(&session, method, params, until).await {
                Ok(answer) => answers.push((session, answer)),
                Err(refusal) => refused = Some(refusal.words(server.name())),
            }
        }
        match (answers.is_empty(), refused) {
            (true, Some(words)) => Err(EditorError::Failed(words)),
            (true, None) => Err(EditorError::Failed(format!(
                "no language server of {} can do that; `carrick status` shows which run",
                spot.path.display()
            ))),
            _ => Ok(answers),
        }
    }

    async fn locations(&self, skill: Skill, spot: Spot, more: Value) -> Result<Vec<Location>, EditorError> {
        let method =
            if skill == Skill::Definition { "textDocument/definition" } else { "textDocument/references" };
        let mut found = Vec::new();
        for (session, answer) in self.ask(skill, method, spot, &more).await? {
            let list: Vec<WireLocation> = one_or_many(answer);
            let places = list.iter().map(WireLocation::parts);
            let places: Vec<(PathBuf, Range)> =
                places.filter_map(|(uri, range)| Some((file(uri)?, range))).collect();
            found.extend(self.read_places(places, session.able.encoding).await?);
        }
        found.dedup();
        Ok(found)
    }

    /// Places with the lines they are on. Private files are not told of.
    pub(super) async fn read_places(
        &self,
        places: Vec<(PathBuf, Range)>,
        encoding: Encoding,
    ) -> Result<Vec<Location>, EditorError> {
        self.on_disk(move |workspace| {
            let mut reader = Reader { workspace, last: None };
            Ok(places
                .into_iter()
                .filter_map(|(path, range)| reader.location(path, range, encoding))
                .collect())
        })
        .await
    }
}

/// Reads files one after the other; many places are in the same one.
struct Reader<'a> {
    workspace: &'a Workspace,
    last: Option<(PathBuf, Option<String>)>,
}

impl Reader<'_> {
    fn location(&mut self, path: PathBuf, range: Range, encoding: Encoding) -> Option<Location> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != path) {
            let text = match self.workspace.for_agent(&path) {
                Ok(place) => bytes_of(&place, MOST_TEXT).ok().and_then(|bytes| String::from_utf8(bytes).ok()),
                // A library outside the workspace has a name, but its text is not ours to give.
                Err(EditorError::Outside(_)) => None,
                Err(_) => return None,
            };
            self.last = Some((path.clone(), text));
        }
        let text = self.last.as_ref().and_then(|(_, text)| text.as_deref());
        let lines = text.map(Lines::of);
        let range = lines.as_ref().map_or(range, |lines| lines.range(range, encoding));
        let text = lines.map(|lines| lines.line(range.start.line).trim().chars().take(200).collect());
        Some(Location { path, range, text })
    }
}

/// Asks again while the server is disturbed by changes.
pub(super) async fn patiently(
    session: &Session,
    method: &str,
    params: Value,
    until: Instant,
) -> Result<Value, Refusal> {
    loop {
        match session.connection.request(method, params.clone(), until).await {
            Err(refusal) if refusal.is_passing() && Instant::now() + BREATH < until => sleep(BREATH).await,
            outcome => return outcome,
        }
    }
}

fn merge(params: &mut Value, more: &Value) {
    if let (Some(params), Some(more)) = (params.as_object_mut(), more.as_object()) {
        params.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}

/// Every file of an edit before and after. All of them must be the agent's to change, or none is.
fn changes(
    workspace: &Workspace,
    files: std::collections::BTreeMap<String, Vec<super::wire::TextEdit>>,
    encoding: Encoding,
) -> Result<Vec<Change>, EditorError> {
    let mut all = Vec::new();
    for (uri, edits) in files {
        let path =
            file(&uri).ok_or_else(|| EditorError::Failed(format!("{uri} would change and is no file")))?;
        let place = workspace.for_writing(&path)?;
        let text = String::from_utf8(bytes_of(&place, MOST_TEXT)?)
            .map_err(|_| EditorError::NotText(path.clone()))?;
        let overlap = || EditorError::Failed(format!("the edits of {} overlap", path.display()));
        let after = apply(&text, &edits, encoding).ok_or_else(overlap)?;
        if after != text {
            all.push(Change { path, before: text.into(), after: after.into() });
        }
    }
    Ok(all)
}
