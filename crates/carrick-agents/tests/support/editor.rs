//! An editor without a screen or a disk: files in memory, and every ability, so that each tool can be shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use carrick_core::{
    Answer, Change, ClientId, Content, Desk, Diagnose, Diagnostic, Dirty, Editor, EditorError, EditorId,
    Execute, FileDiagnostics, Files, Format, Location, Navigate, OpenRequest, Opened, Output, Position,
    Range, Selection, Severity, Skill, Spot, Symbol, SymbolsOf, Tab, WorkspaceInfo,
};

pub struct ScriptedEditor {
    files: Mutex<BTreeMap<PathBuf, String>>,
    tabs: Mutex<Vec<PathBuf>>,
    pub dirty: Mutex<Vec<PathBuf>>,
    pub able: AtomicBool,
    desk: Arc<Desk>,
    id: Mutex<EditorId>,
    root: PathBuf,
}

impl ScriptedEditor {
    pub fn seat(desk: &Arc<Desk>, root: &Path) -> Arc<Self> {
        let given = [
            ("a.txt", "alpha\nbeta\ngamma\n"),
            ("b.rs", "fn main() {}\n"),
            ("crlf.txt", "one\r\ntwo\r\nthree\r\n"),
        ];
        let files = given.iter().map(|(name, text)| (root.join(name), (*text).to_owned())).collect();
        let editor = Arc::new(Self {
            files: Mutex::new(files),
            tabs: Mutex::default(),
            dirty: Mutex::default(),
            able: AtomicBool::new(true),
            desk: desk.clone(),
            id: Mutex::new(EditorId(0)),
            root: root.into(),
        });
        *editor.id.lock().unwrap() = desk.seat_editor(editor.clone());
        editor
    }

    pub fn select(&self, name: &str, range: Range) {
        let path = self.root.join(name);
        let text = self.files.lock().unwrap().get(&path).cloned().unwrap_or_default();
        let selection = Selection { path, text: range.slice(&text).into(), range };
        self.desk.select(*self.id.lock().unwrap(), Some(selection));
    }

    fn text(&self, path: &Path) -> Result<String, EditorError> {
        let files = self.files.lock().unwrap();
        files.get(path).cloned().ok_or_else(|| EditorError::NotFound(path.into()))
    }

    fn inside(&self, path: &Path) -> Result<PathBuf, EditorError> {
        if path.components().any(|part| part.as_os_str() == "..") {
            return Err(EditorError::Outside(path.into()));
        }
        Ok(self.root.join(path))
    }

    fn able<'a, T: ?Sized>(&self, able: &'a T) -> Option<&'a T> {
        self.able.load(Ordering::Relaxed).then_some(able)
    }

    fn open_now(&self, request: &OpenRequest) -> Result<Opened, EditorError> {
        let text = self.text(&request.path)?;
        let mut tabs = self.tabs.lock().unwrap();
        tabs.retain(|tab| *tab != request.path);
        tabs.push(request.path.clone());
        let start = request
            .start_text
            .as_ref()
            .map(|start| text.find(start.as_str()).map(|at| (at, at + start.len())));
        let end = request.end_text.as_ref().map(|end| text.find(end.as_str()).map(|at| at + end.len()));
        let selected = match (start, end) {
            (Some(Some((from, to))), end) => Some(Range::of_bytes(&text, from, end.flatten().unwrap_or(to))),
            (Some(None), _) => None,
            (None, _) => request.range,
        };
        Ok(Opened {
            path: request.path.clone(),
            language: "plaintext".into(),
            line_count: text.matches('\n').count() as u32 + 1,
            selected,
            start_missing: start == Some(None),
            end_missing: end == Some(None),
        })
    }

    fn tab(&self, path: &Path, active: bool) -> Tab {
        Tab {
            path: path.into(),
            label: path.file_name().unwrap().to_string_lossy().into(),
            language: "plaintext".into(),
            line_count: 4,
            is_active: active,
            is_dirty: self.dirty.lock().unwrap().iter().any(|dirty| dirty == path),
            is_pinned: false,
            is_preview: false,
            is_untitled: false,
            group: 0,
            is_group_active: true,
            selection: Some(Range::default()),
        }
    }
}

fn ready<T: Send + 'static>(value: Result<T, EditorError>) -> Answer<'static, T> {
    Box::pin(std::future::ready(value))
}

impl Editor for ScriptedEditor {
    fn name(&self) -> &str {
        "scripted"
    }

    fn open(&self, request: OpenRequest) -> Answer<'_, Opened> {
        ready(self.open_now(&request))
    }

    fn tabs(&self) -> Answer<'_, Vec<Tab>> {
        let tabs = self.tabs.lock().unwrap();
        let last = tabs.len().saturating_sub(1);
        ready(Ok(tabs.iter().enumerate().map(|(index, path)| self.tab(path, index == last)).collect()))
    }

    fn close_tab(&self, name: String) -> Answer<'_, bool> {
        let mut tabs = self.tabs.lock().unwrap();
        let before = tabs.len();
        tabs.retain(|tab| tab.to_string_lossy() != name && !tab.ends_with(&name));
        ready(Ok(tabs.len() < before))
    }

    fn dirty(&self, path: PathBuf) -> Answer<'_, Option<Dirty>> {
        let is_open = self.tabs.lock().unwrap().contains(&path);
        let is_dirty = self.dirty.lock().unwrap().contains(&path);
        ready(Ok(is_open.then_some(Dirty { is_dirty, is_untitled: false })))
    }

    fn save(&self, path: PathBuf) -> Answer<'_, bool> {
        self.dirty.lock().unwrap().retain(|dirty| *dirty != path);
        ready(Ok(self.tabs.lock().unwrap().contains(&path)))
    }

    fn content(&self, path: PathBuf) -> Answer<'_, Content> {
        ready(Ok(self.text(&path).map_or(Content::Missing, |text| Content::Text(text.into()))))
    }

    fn diagnose(&self) -> Option<&dyn Diagnose> {
        self.able(self as &dyn Diagnose)
    }

    fn format(&self) -> Option<&dyn Format> {
        self.able(self as &dyn Format)
    }

    fn execute(&self) -> Option<&dyn Execute> {
        self.able(self as &dyn Execute)
    }

    fn navigate(&self) -> Option<&dyn Navigate> {
        self.able(self as &dyn Navigate)
    }

    fn files(&self) -> Option<&dyn Files> {
        self.able(self as &dyn Files)
    }
}

impl Diagnose for ScriptedEditor {
    fn diagnostics(&self, path: Option<PathBuf>) -> Answer<'_, Vec<FileDiagnostics>> {
        let broken = self.root.join("b.rs");
        let asked = path.unwrap_or_else(|| broken.clone());
        let diagnostics = if asked == broken { some_diagnostics() } else { Vec::new() };
        ready(Ok(vec![FileDiagnostics { path: asked, diagnostics }]))
    }
}

pub fn some_diagnostics() -> Vec<Diagnostic> {
    let range = Range::new(Position::new(0, 3), Position::new(0, 7));
    let plain = |severity, message: &str| Diagnostic {
        message: message.into(),
        severity,
        range,
        source: None,
        code: None,
    };
    let error = Diagnostic {
        source: Some("rustc".into()),
        code: Some("E0601".into()),
        ..plain(Severity::Error, "no `main`")
    };
    vec![error, plain(Severity::Hint, "rename it")]
}

impl Format for ScriptedEditor {
    fn reformat(&self, path: PathBuf) -> Answer<'_, Option<Change>> {
        let change = |before: String| {
            let after = before.replace("() {}", "() {\n}");
            (after != before).then(|| Change {
                path: path.clone(),
                before: before.into(),
                after: after.into(),
            })
        };
        ready(self.text(&path).map(change))
    }
}

impl ScriptedEditor {
    fn named(&self, spot: &Spot) -> Result<Location, EditorError> {
        let text = self.text(&spot.path)?;
        let symbol = spot.symbol.clone().unwrap_or_else(|| "alpha".into());
        let at = text.find(&symbol).ok_or_else(|| EditorError::Invalid(format!("no `{symbol}`")))?;
        let range = Range::of_bytes(&text, at, at + symbol.len());
        let line = text.lines().nth(range.start.line as usize).map(String::from);
        Ok(Location { path: spot.path.clone(), range, text: line })
    }
}

/// Every name is defined, and used, where it stands first.
impl Navigate for ScriptedEditor {
    fn can(&self, _: Skill) -> bool {
        true
    }

    fn definition(&self, spot: Spot) -> Answer<'_, Vec<Location>> {
        ready(self.named(&spot).map(|found| vec![found]))
    }

    fn references(&self, spot: Spot, with_definition: bool) -> Answer<'_, Vec<Location>> {
        ready(self.named(&spot).map(|found| vec![found; 1 + usize::from(with_definition)]))
    }

    fn hover(&self, spot: Spot) -> Answer<'_, Option<String>> {
        ready(self.named(&spot).map(|_| spot.symbol.map(|name| format!("fn {name}()"))))
    }

    fn symbols(&self, of: SymbolsOf) -> Answer<'_, Vec<Symbol>> {
        let (path, container) = match of {
            SymbolsOf::File(path) => (path, None),
            SymbolsOf::Workspace(query) => (self.root.join("b.rs"), Some(query)),
        };
        let spot = Spot { path, line: None, character: None, symbol: Some("main".into()) };
        let symbol = |location| Symbol { name: "main".into(), kind: "function", container, location };
        ready(self.named(&spot).map(|location| vec![symbol(location)]))
    }

    fn rename(&self, spot: Spot, to: String) -> Answer<'_, Vec<Change>> {
        let from = spot.symbol.unwrap_or_default();
        let files = self.files.lock().unwrap();
        let change = |(path, before): (&PathBuf, &String)| Change {
            path: path.clone(),
            before: before.as_str().into(),
            after: before.replace(&from, &to).into(),
        };
        let changes = files.iter().map(change).filter(|change| change.before != change.after);
        ready(Ok(changes.collect()))
    }
}

impl Execute for ScriptedEditor {
    fn execute(&self, _client: ClientId, code: String) -> Answer<'_, Vec<Output>> {
        match code.as_str() {
            "wait" => Box::pin(std::future::pending()),
            "1/0" => ready(Ok(vec![Output::Error("ZeroDivisionError: division by zero".into())])),
            "plot" => ready(Ok(vec![
                Output::Text("<Figure>".into()),
                Output::Image(vec![1, 2, 3], "image/png".into()),
            ])),
            other => ready(Ok(vec![Output::Text(format!("ran {other}"))])),
        }
    }
}

impl Files for ScriptedEditor {
    fn read(&self, path: &Path) -> Answer<'_, String> {
        ready(self.inside(path).and_then(|path| self.text(&path)))
    }

    fn write(&self, path: &Path, contents: String) -> Answer<'_, ()> {
        ready(self.inside(path).map(|path| drop(self.files.lock().unwrap().insert(path, contents))))
    }

    fn list(&self, pattern: Option<String>) -> Answer<'_, Vec<String>> {
        let ending = pattern.unwrap_or_default().trim_start_matches('*').to_owned();
        let files = self.files.lock().unwrap();
        let names = files
            .keys()
            .filter_map(|path| path.strip_prefix(&self.root).ok())
            .map(|path| path.to_string_lossy().into_owned());
        ready(Ok(names.filter(|name| name.ends_with(&ending)).collect()))
    }

    fn info(&self) -> Answer<'_, WorkspaceInfo> {
        let name = self.root.file_name().unwrap().to_string_lossy().into();
        ready(Ok(WorkspaceInfo { name, path: self.root.clone(), file_count: 3, is_vault: false }))
    }
}
