//! The built-in editor at a real desk with real files.

use std::fs;
use std::os::unix::fs::symlink;

use carrick_core::{Event, Position};

use super::*;

struct Ground {
    _dir: tempfile::TempDir,
    root: PathBuf,
    desk: Arc<Desk>,
    editor: Arc<Headless>,
}

fn ground() -> Ground {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("ws");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("a.rs"), "fn a() {}\nfn b() {}\n").unwrap();
    fs::write(root.join("b.md"), "größe 😀 x\r\nzwei").unwrap();
    fs::write(root.join(".env"), "KEY=1").unwrap();
    fs::write(root.join("../outside.txt"), "o").unwrap();
    let desk = Desk::new(vec![root.clone()], PrivateList::default());
    let editor = Headless::seat(&desk);
    Ground { _dir: dir, root, desk, editor }
}

impl Ground {
    fn request(&self, name: &str, who: Who) -> OpenRequest {
        OpenRequest::new(self.root.join(name), who)
    }

    async fn open(&self, name: &str, who: Who) -> Result<Opened, EditorError> {
        self.editor.open(self.request(name, who)).await
    }

    async fn labels(&self) -> Vec<String> {
        self.editor.tabs().await.unwrap().into_iter().map(|tab| tab.label).collect()
    }
}

#[tokio::test]
async fn an_opened_file_is_in_front_with_the_cursor_at_its_beginning() {
    let ground = ground();
    let mut events = ground.desk.events();
    let opened = ground.open("a.rs", Who::Agent).await.unwrap();
    assert_eq!((opened.language.as_str(), opened.line_count, opened.selected), ("rust", 3, None));
    let selection = ground.desk.selection().unwrap();
    assert_eq!((selection.path, &*selection.text), (ground.root.join("a.rs"), ""));
    assert_eq!(selection.range, Range::default());
    assert!(matches!(events.try_recv(), Ok(Event::SelectionChanged(id)) if Some(id) == ground.editor.id()));
    assert!(matches!(events.try_recv(), Ok(Event::TabsChanged(_))));
    let tabs = ground.editor.tabs().await.unwrap();
    assert_eq!(tabs.len(), 1);
    assert!(tabs[0].is_active && !tabs[0].is_dirty && tabs[0].label == "a.rs");
}

#[tokio::test]
async fn words_are_selected() {
    let ground = ground();
    let words = |start: &str, end: Option<&str>| OpenRequest {
        start_text: Some(start.into()),
        end_text: end.map(Into::into),
        ..ground.request("a.rs", Who::Agent)
    };
    let opened = ground.editor.open(words("fn b", Some("}"))).await.unwrap();
    assert_eq!(opened.selected, Some(Range::new(Position::new(1, 0), Position::new(1, 9))));
    assert_eq!(&*ground.desk.selection().unwrap().text, "fn b() {}");
    let opened = ground.editor.open(words("fn b", Some("absent"))).await.unwrap();
    assert!(opened.end_missing && opened.selected.is_some());
    let opened = ground.editor.open(words("absent", None)).await.unwrap();
    assert!(opened.start_missing && opened.selected.is_none());
    assert_eq!(&*ground.desk.selection().unwrap().text, "");
}

#[tokio::test]
async fn a_person_selects_in_utf16() {
    let ground = ground();
    let range = Range::new(Position::new(0, 6), Position::new(0, 8));
    let selection = ground.editor.select(ground.root.join("b.md"), range).await.unwrap();
    assert_eq!((&*selection.text, selection.range), ("😀", range));
    assert_eq!(ground.desk.selection(), Some(selection));
    let beyond = Range::new(Position::new(1, 0), Position::new(99, 0));
    let selection = ground.editor.select(ground.root.join("b.md"), beyond).await.unwrap();
    assert_eq!((&*selection.text, selection.range.end), ("zwei", Position::new(1, 4)));
}

#[tokio::test]
async fn closing_brings_back_what_the_neighbour_had_selected() {
    let ground = ground();
    let line = Range::new(Position::new(0, 0), Position::new(0, 2));
    ground.editor.select(ground.root.join("a.rs"), line).await.unwrap();
    ground.open("b.md", Who::Person).await.unwrap();
    assert!(ground.editor.close_tab("b.md".into()).await.unwrap());
    assert_eq!(&*ground.desk.selection().unwrap().text, "fn");
    assert!(!ground.editor.close_tab("b.md".into()).await.unwrap());
    assert!(ground.editor.close(&ground.root.join("a.rs")));
    assert_eq!(ground.desk.selection(), None);
}

#[tokio::test]
async fn a_private_file_is_for_the_person_alone() {
    let ground = ground();
    symlink(".env", ground.root.join("notes.txt")).unwrap();
    ground.open("a.rs", Who::Person).await.unwrap();
    for name in [".env", "notes.txt"] {
        assert_eq!(ground.open(name, Who::Agent).await, Err(EditorError::Private));
        ground.open("a.rs", Who::Person).await.unwrap();
        let key = Range::new(Position::default(), Position::new(0, 5));
        let selection = ground.editor.select(ground.root.join(name), key).await.unwrap();
        assert_eq!(&*selection.text, "KEY=1");
        assert_eq!(ground.desk.selection(), None);
        assert_eq!(ground.desk.latest_selection().unwrap().path, ground.root.join("a.rs"));
        assert_eq!(ground.labels().await, ["a.rs"]);
        assert!(!ground.editor.close_tab(name.into()).await.unwrap());
        assert_eq!(ground.editor.dirty(ground.root.join(name)).await.unwrap(), None);
        assert!(!ground.editor.save(ground.root.join(name)).await.unwrap());
    }
}

#[tokio::test]
async fn a_tab_that_turns_into_a_link_to_a_secret_is_hidden() {
    let ground = ground();
    ground.open("a.rs", Who::Person).await.unwrap();
    fs::remove_file(ground.root.join("a.rs")).unwrap();
    symlink(".env", ground.root.join("a.rs")).unwrap();
    assert_eq!(ground.labels().await, [""; 0]);
    assert_eq!(ground.desk.selection(), None);
}

#[tokio::test]
async fn an_agent_stays_inside_and_a_person_need_not() {
    let ground = ground();
    assert!(matches!(ground.open("../outside.txt", Who::Agent).await, Err(EditorError::Outside(_))));
    assert!(matches!(ground.open("absent", Who::Agent).await, Err(EditorError::NotFound(_))));
    assert!(matches!(ground.open("", Who::Agent).await, Err(EditorError::IsFolder(_))));
    let opened = ground.open("../outside.txt", Who::Person).await.unwrap();
    assert_eq!(opened.path, ground.root.parent().unwrap().join("outside.txt"));
    assert_eq!(ground.labels().await, ["outside.txt"], "what is refused is not opened");
}

#[tokio::test]
async fn a_file_that_is_not_text_opens_without_a_selection() {
    let ground = ground();
    fs::write(ground.root.join("raw"), b"\xff\n\xfe\n").unwrap();
    let request = OpenRequest { start_text: Some("x".into()), ..ground.request("raw", Who::Agent) };
    let opened = ground.editor.open(request).await.unwrap();
    assert_eq!((opened.line_count, opened.selected, opened.start_missing), (3, None, true));
    let path = ground.root.join("raw");
    assert_eq!(
        ground.editor.select(path.clone(), Range::default()).await,
        Err(EditorError::NotText(path.clone()))
    );
    assert_eq!(ground.editor.content(path).await.unwrap(), Content::NotText);
}

#[tokio::test]
async fn contents_to_review_against() {
    let ground = ground();
    let content = |path: PathBuf| ground.editor.content(path);
    assert_eq!(content(ground.root.join("b.md")).await.unwrap(), Content::Text("größe 😀 x\r\nzwei".into()));
    assert_eq!(content(ground.root.join("no/where")).await.unwrap(), Content::Missing);
    assert_eq!(content(ground.root.join("a.rs/x")).await.unwrap(), Content::Missing);
    assert!(matches!(content(ground.root.clone()).await, Err(EditorError::IsFolder(_))));
    assert!(matches!(content("a.rs".into()).await, Err(EditorError::Invalid(_))));
}

#[tokio::test]
async fn files_are_read_written_and_listed() {
    let ground = ground();
    let files = ground.editor.files().unwrap();
    let path = |name: &str| PathBuf::from(name);
    assert_eq!(files.list(Some("*.rs".into())).await.unwrap(), ["a.rs"]);
    ground.open("a.rs", Who::Person).await.unwrap();
    files.write(&path("a.rs"), "1\n2\n3\n4\n5".into()).await.unwrap();
    files.write(&path("new/größe.rs"), "ö".into()).await.unwrap();
    assert_eq!(files.read(&path("new/größe.rs")).await.unwrap(), "ö");
    assert_eq!(files.read(&ground.root.join("a.rs")).await.unwrap(), "1\n2\n3\n4\n5");
    assert_eq!(files.list(Some("*.rs".into())).await.unwrap(), ["a.rs", "new/größe.rs"]);
    assert_eq!(ground.editor.tabs().await.unwrap()[0].line_count, 5);
    let info = files.info().await.unwrap();
    assert_eq!((info.name.as_str(), info.file_count, info.is_vault), ("ws", 3, false));
    assert_eq!(files.read(&path(".env")).await, Err(EditorError::Private));
    assert_eq!(files.write(&path(".env"), String::new()).await, Err(EditorError::Private));
    assert!(matches!(files.read(&path("../outside.txt")).await, Err(EditorError::Invalid(_))));
    fs::create_dir(ground.root.join(".obsidian")).unwrap();
    assert!(files.info().await.unwrap().is_vault);
}

#[tokio::test]
async fn a_file_too_large_to_pass_on_is_refused() {
    let ground = ground();
    let file = fs::File::create(ground.root.join("big")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let error = ground.editor.files().unwrap().read(Path::new("big")).await.unwrap_err();
    assert!(error.to_string().contains("larger than 64 MiB"), "{error}");
    // A claim of a terabyte must neither be believed nor waited for.
    file.set_len(1 << 40).unwrap();
    let request = OpenRequest { start_text: Some("x".into()), ..ground.request("big", Who::Agent) };
    assert!(matches!(ground.editor.open(request).await, Err(EditorError::Failed(_))));
    assert!(matches!(ground.editor.content(ground.root.join("big")).await, Err(EditorError::Failed(_))));
}

#[tokio::test]
async fn nothing_is_walked_or_watched_before_it_is_asked_for() {
    let ground = ground();
    ground.open("a.rs", Who::Agent).await.unwrap();
    ground.editor.tabs().await.unwrap();
    let files = ground.editor.files().unwrap();
    files.write(Path::new("new.rs"), String::new()).await.unwrap();
    assert!(ground.editor.tree().lock().is_untouched());
    files.info().await.unwrap();
    assert!(!ground.editor.tree().lock().is_untouched());
}

#[tokio::test]
async fn writing_through_a_link_keeps_the_link() {
    let ground = ground();
    symlink("a.rs", ground.root.join("link.rs")).unwrap();
    symlink("../outside.txt", ground.root.join("out")).unwrap();
    let files = ground.editor.files().unwrap();
    files.write(Path::new("link.rs"), "new".into()).await.unwrap();
    assert_eq!(fs::read_to_string(ground.root.join("a.rs")).unwrap(), "new");
    assert!(ground.root.join("link.rs").is_symlink());
    assert!(matches!(files.write(Path::new("out"), "x".into()).await, Err(EditorError::Outside(_))));
    assert_eq!(fs::read_to_string(ground.root.join("../outside.txt")).unwrap(), "o");
}

#[tokio::test]
async fn folders_of_the_desk_are_followed() {
    let ground = ground();
    let outside = ground.root.parent().unwrap().join("lib");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("l.rs"), "l").unwrap();
    let files = ground.editor.files().unwrap();
    assert!(matches!(files.read(&outside.join("l.rs")).await, Err(EditorError::Outside(_))));
    ground.desk.add_folder(outside.clone());
    assert_eq!(files.list(Some("*.rs".into())).await.unwrap(), ["a.rs", "lib/l.rs"]);
    assert_eq!(files.read(Path::new("lib/l.rs")).await.unwrap(), "l");
}

#[tokio::test]
async fn the_editor_goes_with_its_desk() {
    let Ground { desk, editor, .. } = ground();
    let gone = Arc::downgrade(&editor);
    assert!(Weak::upgrade(&gone).is_some());
    drop(desk);
    assert!(matches!(editor.tabs().await, Err(EditorError::Failed(_))));
    drop(editor);
    assert!(gone.upgrade().is_none(), "desk and editor do not hold each other");
}
