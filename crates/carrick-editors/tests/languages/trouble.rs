//! Servers that crash, hang, are slow, missing, or speak of what was before.

use std::time::{Duration, Instant};

use carrick_core::ServiceState;
use carrick_editors::headless::{LanguageServer, Table};

use crate::ground::{Ground, IN_TIME, brief, gone, lives, scripted};

#[tokio::test]
async fn a_slow_server_never_makes_an_answer_old() {
    let ground = Ground::scripted(&["push=versioned", "slow=1800"]);
    ground.write("a.scr", "wrong\n");
    assert!(ground.wrong("a.scr").await.is_empty(), "nothing came in time");
    ground.until("a.scr", |list| list.len() == 1).await;
    ground.write("a.scr", "fine\n");
    assert!(ground.wrong("a.scr").await.is_empty(), "what was said before is about something else");
}

#[tokio::test]
async fn what_comes_late_about_an_old_version_is_not_heard() {
    let ground = Ground::scripted(&["push=versioned"]);
    ground.write("a.scr", "stale! fine\n");
    for round in 0..5 {
        ground.write("a.scr", &format!("stale! fine {round}\n"));
        assert!(ground.wrong("a.scr").await.is_empty());
        assert!(ground.wrong("a.scr").await.is_empty(), "asked again after the late word");
    }
}

#[tokio::test]
async fn a_server_that_crashes_comes_back() {
    let ground = Ground::scripted(&["push=versioned"]);
    ground.write("a.scr", "wrong\n");
    ground.until("a.scr", |list| list.len() == 1).await;
    let before = ground.service(ServiceState::Running).await;
    ground.write("a.scr", "crash!\n");
    assert!(ground.wrong("a.scr").await.is_empty());
    ground.write("a.scr", "wrong wrong\n");
    ground.until("a.scr", |list| list.len() == 2).await;
    let after = ground.service(ServiceState::Running).await;
    assert_ne!(before.pid, after.pid);
    assert!(after.memory.is_some_and(|memory| memory > 0) && after.cpu.is_some());
}

#[tokio::test]
async fn one_that_crashes_always_is_given_up_and_says_why() {
    let ground = Ground::scripted(&[]);
    ground.write("a.scr", "crash!\n");
    let began = Instant::now();
    loop {
        ground.wrong("a.scr").await;
        if ground.services().await.iter().any(|service| service.state == ServiceState::Failed) {
            break;
        }
        assert!(began.elapsed() < crate::ground::SOON);
    }
    let failed = ground.service(ServiceState::Failed).await;
    assert!(failed.note.unwrap().contains("I was told to crash"));
    let asked = Instant::now();
    assert!(ground.wrong("a.scr").await.is_empty());
    assert!(asked.elapsed() < IN_TIME / 4, "nobody waits for it any more");
}

#[tokio::test]
async fn a_hanging_server_costs_only_its_own_answers() {
    let servers = vec![scripted("deaf", &["deaf"]), scripted("well", &["pull", "encoding=utf-8"])];
    let ground = Ground::with(Table { servers, ..Table::default() });
    ground.write("a.scr", "fine\n");
    ground.until("a.scr", |list| list.is_empty()).await;
    ground.write("a.scr", "x wrong\n");
    ground.until("a.scr", |list| list.len() == 1).await;
    for round in 0..4 {
        ground.write("a.scr", &format!("hang! {round} wrong\n"));
        assert_eq!(ground.wrong("a.scr").await.len(), 1, "what the other one says is there in time");
    }
    ground.write("a.scr", "hang! wrong wrong\n");
    let asked = Instant::now();
    assert_eq!(ground.wrong("a.scr").await.len(), 2);
    assert!(asked.elapsed() < IN_TIME / 2, "one that never answers is hardly waited for");
    let pids: Vec<u32> = ground.services().await.iter().filter_map(|service| service.pid).collect();
    assert_eq!(pids.len(), 2);
    ground.editor.close_programs().await;
    for pid in pids {
        assert!(!lives(pid), "a hanging server is ended too");
    }
}

#[tokio::test]
async fn a_missing_server_is_no_error_and_is_told_once_with_what_installs_it() {
    let missing = LanguageServer { commands: vec![vec!["no-such-server".into()]], ..scripted("absent", &[]) };
    let servers = vec![missing, scripted("there", &["pull"])];
    let ground = Ground::with(Table { servers, ..Table::default() });
    ground.write("a.scr", "wrong\n");
    ground.write("b.scr", "wrong\n");
    for name in ["a.scr", "b.scr"] {
        let list = ground.until(name, |list| !list.is_empty()).await;
        assert_eq!(brief(&list).len(), 1);
    }
    let services = ground.services().await;
    let absent: Vec<_> = services.iter().filter(|it| it.state == ServiceState::Missing).collect();
    assert_eq!(absent.len(), 1);
    assert_eq!((absent[0].name.as_str(), absent[0].note.as_deref()), ("absent", Some("cargo build")));
}

#[tokio::test]
async fn a_slow_start_is_not_waited_for_and_later_answers_are_whole() {
    let ground = Ground::scripted(&["pull", "start=2000"]);
    ground.write("a.scr", "wrong\n");
    assert!(ground.wrong("a.scr").await.is_empty());
    ground.until("a.scr", |list| list.len() == 1).await;
}

#[tokio::test]
async fn servers_end_with_the_editor_in_order_or_not() {
    let ground = Ground::scripted(&["pull"]);
    ground.write("a.scr", "wrong\n");
    ground.until("a.scr", |list| list.len() == 1).await;
    let pid = ground.service(ServiceState::Running).await.pid.unwrap();
    ground.editor.close_programs().await;
    assert!(!lives(pid));
    assert!(ground.wrong("a.scr").await.is_empty(), "and nothing is started again");

    let ground = Ground::scripted(&["pull"]);
    ground.write("a.scr", "wrong\n");
    ground.until("a.scr", |list| list.len() == 1).await;
    let pid = ground.service(ServiceState::Running).await.pid.unwrap();
    drop(ground);
    gone(pid).await;
}

#[tokio::test]
async fn before_a_write_the_answer_is_quick_even_if_the_server_is_not() {
    let ground = Ground::scripted(&["pull", "slow=5000"]);
    ground.write("a.scr", "wrong\n");
    for _ in 0..3 {
        let asked = Instant::now();
        assert!(ground.wrong("a.scr").await.is_empty());
        // The CLI waits half a second for this one, and does not speak of the file when it waited in vain.
        assert!(asked.elapsed() < Duration::from_millis(480), "{:?}", asked.elapsed());
    }
}
