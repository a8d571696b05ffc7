//! What is on the screen: both views, hostile contents, sizes, no colours, large files, copies.

use crate::stage::{NEW, Stage, terminal};
use crate::world::{PATIENCE, World, until};

#[tokio::test]
async fn side_by_side_and_help() {
    let mut stage = Stage::set().await;
    stage.proposed().await;
    stage.keys("\t");
    stage.screen("side-by-side", "│").await;
    stage.keys("?");
    stage.screen("help", "any key goes back").await;
    stage.keys("x\t");
    stage.see("  6   6   fn main").await;
}

#[tokio::test]
async fn hostile_names_and_contents_are_shown_and_never_sent() {
    let stage = Stage::set().await;
    let name = "evil\x1b]0;owned\x07\u{202e}sr.txt";
    let contents = "\x1b[2Jgone\n\u{202e}turned\u{2066}\n\u{9b}31mred\r\ntab\there \u{200b}<zero\x00nul\n";
    stage.propose(name, contents).await;
    stage.screen("hostile", "a accept").await;
    let painted = stage.terminal.painted();
    assert!(!painted.contains("owned\x07") && !painted.contains('\u{202e}') && !painted.contains('\u{200b}'));
}

#[tokio::test]
async fn another_size_is_another_picture() {
    let mut stage = Stage::set().await;
    stage.proposed().await;
    stage.keys("G");
    stage.terminal.resize(50, 14).unwrap();
    stage.screen("small", "42").await;
    stage.terminal.resize(20, 5).unwrap();
    stage.see("too small").await;
    stage.terminal.resize(120, 40).unwrap();
    stage.screen("large", "h history").await;
}

#[tokio::test]
async fn no_color_means_none() {
    let colours = |painted: &str| {
        let codes =
            painted.split("\x1b[").skip(1).filter_map(|rest| rest.split_once('m')).map(|(code, _)| code);
        codes.flat_map(|code| code.split(';').map(str::to_owned).collect::<Vec<_>>()).any(|code| {
            code.parse::<u8>()
                .is_ok_and(|code| (30..=38).contains(&code) || (40..=48).contains(&code) || code >= 90)
        })
    };
    let stage = Stage::set().await;
    stage.proposed().await;
    assert!(colours(&stage.terminal.painted()));
    let world = World::new();
    let serve = terminal(&world, &["serve"]).env("NO_COLOR", "1");
    let plain = Stage::with(world, serve).await;
    plain.proposed().await;
    assert!(!colours(&plain.terminal.painted()), "{:?}", plain.terminal.painted());
    assert_eq!(plain.terminal.screen().lines().nth(4), stage.terminal.screen().lines().nth(4));
}

#[tokio::test]
async fn ten_thousand_lines_are_walked_through() {
    let mut stage = Stage::set().await;
    let old: String = (0..10_000).map(|number| format!("let line_{number} = {number};\n")).collect();
    stage.world.write("big.rs", &old);
    let new = old.replace("9;\n", "9 + 1;\n");
    stage.propose("big.rs", &new).await;
    stage.see("hunk 1 of 1000").await;
    stage.keys("G");
    stage.see("9999 + 1").await;
    stage.keys("p");
    stage.see("hunk 1000 of 1000").await;
    stage.keys("g\x1b[6~\x1b[6~");
    stage.see("hunk 5 of 1000").await;
}

#[tokio::test]
async fn what_is_not_text_is_said_and_taken_whole() {
    let mut stage = Stage::set().await;
    std::fs::write(stage.world.work().join("data.bin"), [0xff, 0xfe, 0, 1]).unwrap();
    let call = stage.propose("data.bin", "now text\n").await;
    stage.screen("not-text", "a accept").await;
    stage.keys(" ");
    stage.see("only be taken or left whole").await;
    stage.keys("a");
    assert_eq!(stage.answer(&call).await, ["FILE_SAVED", "now text\n"]);
}

#[tokio::test]
async fn a_proposal_is_copied_and_written_out() {
    let mut stage = Stage::set().await;
    stage.proposed().await;
    stage.keys("c");
    stage.see("bytes were sent to the terminal's clipboard").await;
    stage.keys("w");
    stage.see("written to").await;
    let tmp = stage.world.path("tmp");
    let written =
        || std::fs::read_dir(&tmp).unwrap().flatten().next().map(|entry| entry.path().join("main.rs"));
    until("the file is there", || written().is_some_and(|file| file.exists())).await;
    assert_eq!(std::fs::read_to_string(written().unwrap()).unwrap(), NEW);
}

#[tokio::test]
async fn lines_are_printed_where_nobody_can_type_or_nobody_wants_a_room() {
    let world = World::new();
    for arguments in [&["serve", "--plain"][..], &["serve", "-v"]] {
        let plain = terminal(&world, arguments).spawn().unwrap();
        plain.wait_for_text("carrick serves", PATIENCE).await.unwrap();
        assert!(!plain.is_taken());
    }
    let dumb = terminal(&world, &["serve"]).env("TERM", "dumb").spawn().unwrap();
    dumb.wait_for_text("carrick serves", PATIENCE).await.unwrap();
}
