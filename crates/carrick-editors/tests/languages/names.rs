//! Formatting, and finding and changing names.

use carrick_core::{Editor, EditorError, Format, Navigate, Skill, Spot, SymbolsOf};
use carrick_editors::headless::{Formatter, Table};

use crate::ground::{Ground, scripted};

const TEXT: &str = "def eins\n😀 eins zwei\ndef zwei\n";

fn spot(ground: &Ground, line: Option<u32>, symbol: &str) -> Spot {
    Spot { path: ground.root.join("a.scr"), line, character: None, symbol: Some(symbol.into()) }
}

#[tokio::test]
async fn names_are_found_in_any_encoding() {
    for encoding in ["encoding=utf-8", "encoding=utf-16", "encoding=utf-32"] {
        let ground = Ground::scripted(&["pull", encoding]);
        ground.write("a.scr", TEXT);
        let editor = &ground.editor;
        assert!(editor.can(Skill::Definition), "it is installed and could");
        let found = editor.definition(spot(&ground, Some(1), "zwei")).await.unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].range.start.line, found[0].range.start.character), (1, 8), "{encoding}");
        assert_eq!(found[0].text.as_deref(), Some("😀 eins zwei"));
        assert_eq!(editor.references(spot(&ground, None, "eins"), true).await.unwrap().len(), 2);
        assert_eq!(editor.hover(spot(&ground, None, "zwei")).await.unwrap().as_deref(), Some("**zwei**"));
        let names = editor.symbols(SymbolsOf::File(ground.root.join("a.scr"))).await.unwrap();
        let names: Vec<_> =
            names.iter().map(|it| (it.name.as_str(), it.kind, it.location.range.start.line)).collect();
        assert_eq!(names, [("eins", "function", 0), ("zwei", "function", 1)]);
    }
}

#[tokio::test]
async fn a_new_name_changes_every_file_and_writes_none() {
    let ground = Ground::scripted(&["pull", "encoding=utf-8"]);
    let other = ground.write("b.scr", "😀 eins\n");
    ground.write("a.scr", TEXT);
    ground.until("b.scr", |list| list.is_empty()).await;
    ground.editor.hover(Spot { path: other.clone(), ..spot(&ground, None, "eins") }).await.unwrap();
    let changes = ground.editor.rename(spot(&ground, Some(0), "eins"), "drei".into()).await.unwrap();
    assert_eq!(changes.len(), 2);
    assert_eq!(&*changes[0].after, "def drei\n😀 drei zwei\ndef zwei\n");
    assert_eq!(&*changes[1].after, "😀 drei\n");
    assert_eq!(std::fs::read_to_string(other).unwrap(), "😀 eins\n");
}

#[tokio::test]
async fn what_an_agent_may_not_see_is_not_asked_about() {
    let mut server = scripted("scripted", &["pull"]);
    server.files.push(".env".into());
    let ground = Ground::with(Table { servers: vec![server], ..Table::default() });
    let private = Spot { path: ground.write(".env", "eins\n"), ..spot(&ground, None, "eins") };
    assert_eq!(ground.editor.hover(private).await, Err(EditorError::Private));
    let outside = Spot { path: "/etc/passwd".into(), ..spot(&ground, None, "root") };
    assert!(matches!(ground.editor.hover(outside).await, Err(EditorError::Outside(_))));
    let nowhere = Spot { path: ground.write("a.txt", "eins\n"), ..spot(&ground, None, "eins") };
    assert!(matches!(ground.editor.hover(nowhere).await, Err(EditorError::Failed(_))));
}

#[tokio::test]
async fn a_server_formats_and_a_configured_program_goes_before_it() {
    let ground = Ground::scripted(&["pull"]);
    let path = ground.write("a.scr", "an ugly line\n");
    let change = ground.editor.reformat(path.clone()).await.unwrap().unwrap();
    assert_eq!((&*change.before, &*change.after), ("an ugly line\n", "an pretty line\n"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "an ugly line\n", "nothing is written");
    ground.write("a.scr", "a line\n");
    assert_eq!(ground.editor.reformat(path).await.unwrap(), None);

    let formatter = |command: &[&str]| Formatter {
        name: "f".into(),
        files: vec!["*.scr".into()],
        command: command.iter().map(|word| (*word).to_owned()).collect(),
    };
    let table = |command: &[&str]| Table {
        servers: vec![scripted("scripted", &["pull"])],
        formatters: vec![formatter(command)],
        path: vec!["/usr/bin".into(), "/bin".into()],
    };
    let ground = Ground::with(table(&["tr", "a-z", "A-Z"]));
    let path = ground.write("a.scr", "an ugly line\n");
    assert!(ground.editor.format().is_some());
    assert_eq!(&*ground.editor.reformat(path).await.unwrap().unwrap().after, "AN UGLY LINE\n");
    let ground = Ground::with(table(&["sh", "-c", "echo no >&2; exit 2"]));
    let path = ground.write("a.scr", "x\n");
    let error = ground.editor.reformat(path).await.unwrap_err().to_string();
    assert!(error.contains("exit status: 2") && error.contains("no"), "{error}");
}
