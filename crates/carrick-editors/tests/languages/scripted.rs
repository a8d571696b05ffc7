//! What must hold with any server: fresh answers, in time, in UTF-16.

use carrick_core::{Event, Severity};

use crate::ground::{Ground, brief, scripted};
use carrick_editors::headless::Table;

const WRONG: &str = "that is wrong";

#[tokio::test]
async fn after_a_write_the_answer_is_about_the_new_contents() {
    for options in [&["push=versioned", "slow=150"][..], &["push=plain", "slow=150"], &["pull", "slow=150"]] {
        let ground = Ground::scripted(options);
        ground.write("a.scr", "fine\n");
        ground.until("a.scr", |list| list.is_empty()).await;
        for round in 0..3 {
            ground.write("a.scr", &format!("round {round}\n  wrong\n"));
            let list = ground.wrong("a.scr").await;
            assert_eq!(brief(&list), [(1, 2, WRONG)], "{options:?} {round}");
            assert_eq!(list[0].severity, Severity::Error);
            assert_eq!((list[0].source.as_deref(), list[0].code.as_deref()), (Some("scripted"), Some("7")));
            ground.write("a.scr", &format!("fine {round}\n"));
            assert!(ground.wrong("a.scr").await.is_empty(), "{options:?} {round}");
        }
        ground.editor.close_programs().await;
    }
}

#[tokio::test]
async fn places_are_utf16_whatever_the_server_counts() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        for way in ["pull", "push=versioned"] {
            let ground = Ground::scripted(&[&format!("encoding={encoding}"), way]);
            ground.write("ä b.scr", "größe 😀 wrong\n");
            let list = ground.until("ä b.scr", |list| !list.is_empty()).await;
            assert_eq!(brief(&list), [(0, 9, WRONG)], "{encoding} {way}");
            assert_eq!(list[0].range.end.character, 14);
        }
    }
}

#[tokio::test]
async fn several_servers_are_merged_and_all_known_files_are_told() {
    let servers = vec![scripted("one", &["pull"]), scripted("two", &["push=versioned", "encoding=utf-8"])];
    let ground = Ground::with(Table { servers, ..Table::default() });
    ground.write("a.scr", "x wrong\n");
    ground.write("b.scr", "fine\n");
    // The two say the same about the same place: it is said once.
    let list = ground.until("a.scr", |list| !list.is_empty()).await;
    assert_eq!(list.len(), 1);
    assert!(ground.wrong("b.scr").await.is_empty());
    ground.write("b.scr", "\nwrong\n");
    let all = ground.all().await;
    let names: Vec<_> = all.iter().map(|file| file.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["a.scr", "b.scr"]);
    assert_eq!(brief(&all[1].diagnostics), [(1, 0, WRONG)]);
    std::fs::remove_file(ground.root.join("a.scr")).unwrap();
    assert_eq!(ground.all().await.len(), 1, "a file that is gone is not spoken of");
}

#[tokio::test]
async fn the_desk_hears_of_changes_and_only_of_changes() {
    let ground = Ground::scripted(&["push=versioned"]);
    let mut events = ground.desk.events();
    let path = ground.write("a.scr", "wrong\n");
    ground.until("a.scr", |list| !list.is_empty()).await;
    ground.wrong("a.scr").await;
    let mut told = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Event::DiagnosticsChanged(file) = event {
            told.push((file.path.clone(), file.diagnostics.len()));
        }
    }
    assert_eq!(told, [(path, 1)]);
}

#[tokio::test]
async fn many_files_are_kept_within_bounds() {
    let ground = Ground::scripted(&["pull"]);
    for number in 0..70 {
        ground.write(&format!("{number:02}.scr"), "wrong\n");
        ground.until(&format!("{number:02}.scr"), |list| list.len() == 1).await;
    }
    assert_eq!(ground.all().await.len(), 64, "the oldest were closed");
    assert_eq!(ground.wrong("00.scr").await.len(), 1, "and come back when they are asked about");
}

#[tokio::test]
async fn nothing_is_started_for_files_without_a_server_or_for_private_ones() {
    let mut server = scripted("scripted", &[]);
    server.files.push(".env".into());
    let ground = Ground::with(Table { servers: vec![server], ..Table::default() });
    ground.write("a.txt", "wrong\n");
    ground.write(".env", "wrong\n");
    std::os::unix::fs::symlink(".env", ground.root.join("link.scr")).unwrap();
    for name in ["a.txt", ".env", "link.scr", "absent.scr"] {
        assert!(ground.wrong(name).await.is_empty(), "{name}");
    }
    assert!(ground.services().await.is_empty());
}

#[tokio::test]
async fn a_file_is_answered_under_the_name_it_was_asked_by() {
    let ground = Ground::scripted(&["push=versioned"]);
    ground.write("real/a.scr", "wrong\n");
    std::os::unix::fs::symlink("real", ground.root.join("link")).unwrap();
    let list = ground.until("link/a.scr", |list| !list.is_empty()).await;
    assert_eq!(brief(&list), [(0, 0, WRONG)]);
    assert_eq!(ground.all().await[0].path, ground.root.join("link/a.scr"));
}
