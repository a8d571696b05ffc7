//! Every decision, by keys, with a client that waits for the answer.

use std::os::unix::fs::PermissionsExt;

use carrick_testkit::terminal::Key;

use crate::stage::{NEW, OLD, Stage, terminal};
use crate::world::{PATIENCE, World};

#[tokio::test]
async fn accepted() {
    let mut stage = Stage::set().await;
    stage.screen("empty", "No change waits").await;
    let call = stage.proposed().await;
    stage.screen("unified", "a accept").await;
    stage.keys("a");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", NEW]);
    stage.screen("accepted", "Last: accepted main.rs").await;
    assert_eq!(std::fs::read_to_string(stage.world.work().join("main.rs")).unwrap(), OLD);
}

#[tokio::test]
async fn rejected() {
    let mut stage = Stage::set().await;
    let call = stage.proposed().await;
    stage.keys("r");
    assert_eq!(stage.answer(&call).await, ["DIFF_REJECTED", "tab main.rs"]);
    stage.see("Last: rejected main.rs").await;
    stage.keys("h");
    stage.screen("history", "history of this run").await;
    stage.keys("a");
    stage.see("this one has ended: rejected").await;
}

#[tokio::test]
async fn by_hunk() {
    let mut stage = Stage::set().await;
    let call = stage.proposed().await;
    stage.keys("n n ");
    stage.screen("by-hunk", "1 chosen").await;
    stage.keys("a");
    let expected = OLD.replace("Greets.", "Greets a person.");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", &expected]);
    stage.see("accepted 1 of 3 hunks of main.rs").await;
}

#[tokio::test]
async fn no_hunk_is_no_decision() {
    let mut stage = Stage::set().await;
    let call = stage.proposed().await;
    stage.keys(" n n a");
    stage.see("no hunk is chosen").await;
    stage.keys("u");
    stage.see("as it was proposed").await;
    stage.keys("a");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", NEW]);
}

#[tokio::test]
async fn edited() {
    let world = World::new();
    let editor = world.write(
        "../editor",
        "#!/bin/sh\ncase \"$2\" in */main.rs) ;; *) exit 1;; esac\nstat -c %a \"$2\" \"$(dirname \"$2\")\" >../mode\n\
         printf 'your editor has the terminal: '; read answer; sed -i s/42/$answer/ \"$2\"\n",
    );
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let serve = terminal(&world, &["serve"]).env("VISUAL", format!("{} --wait", editor.display()));
    let mut stage = Stage::with(world, serve).await;
    let call = stage.proposed().await;
    stage.keys("e");
    stage.see("your editor has the terminal").await;
    assert!(!stage.terminal.is_taken(), "the editor finds a terminal as it was");
    stage.keys("43");
    stage.terminal.press(Key::Enter).unwrap();
    stage.see("this is your version").await;
    stage.screen("edited", "your version").await;
    assert_eq!(std::fs::read_to_string(stage.world.path("mode")).unwrap(), "600\n700\n");
    stage.keys("a");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", &NEW.replace("42", "43")]);
    assert_eq!(std::fs::read_dir(stage.world.path("tmp")).unwrap().count(), 0, "no draft is left");
}

#[tokio::test]
async fn a_failed_editor_changes_nothing() {
    let world = World::new();
    let serve = terminal(&world, &["serve"]).env("EDITOR", "no-such-editor");
    let mut stage = Stage::with(world, serve).await;
    let call = stage.proposed().await;
    stage.keys("e");
    stage.see("no-such-editor cannot be started").await;
    stage.keys("a");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", NEW]);
}

#[tokio::test]
async fn ctrl_c_in_the_editor_does_not_end_the_server() {
    let world = World::new();
    let serve = terminal(&world, &["serve"]).env("EDITOR", "trap 'exit 1' INT; echo type; read x #");
    let mut stage = Stage::with(world, serve).await;
    let call = stage.proposed().await;
    stage.keys("e");
    stage.see("type").await;
    stage.terminal.press(Key::Ctrl('c')).unwrap();
    stage.see("failed").await;
    stage.see("a accept").await;
    stage.keys("r");
    assert_eq!(stage.answer(&call).await[0], "DIFF_REJECTED");
}

#[tokio::test]
async fn one_after_the_other_and_none_unread() {
    let mut stage = Stage::set().await;
    let first = stage.proposed().await;
    let second = stage.propose("a.txt", "ONE\ntwo\nthree\n").await;
    stage.see("2 waiting").await;
    // Pressed twice at once: the second one is not decided by a key that was meant for the first.
    stage.keys("rr");
    assert_eq!(stage.answer(&first).await[0], "DIFF_REJECTED");
    stage.see("1 waiting").await;
    stage.see("a accept").await;
    stage.keys("a");
    assert_eq!(stage.answer(&second).await[0], "FILE_SAVED");
}

#[tokio::test]
async fn pasted_text_decides_nothing() {
    let mut stage = Stage::set().await;
    let call = stage.proposed().await;
    stage.keys("\x1b[200~aaa\x1b[201~");
    stage.see("pasted text decides nothing").await;
    stage.keys("r");
    assert_eq!(stage.answer(&call).await[0], "DIFF_REJECTED");
    let _ = PATIENCE;
}
