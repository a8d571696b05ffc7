//! The help texts as they are printed, kept as files: a change of the command line shows in review.
//!
//! `CARRICK_UPDATE_HELP=1 cargo test -p carrick help` writes them anew.

use std::path::Path;

use crate::world::{World, finish};

const PAGES: &[&str] = &[
    "",
    "serve",
    "run",
    "ask",
    "status",
    "doctor",
    "open",
    "select",
    "mention",
    "folder",
    "folder add",
    "folder remove",
    "review",
    "review list",
    "review show",
    "review accept",
    "review reject",
    "review edit",
    "review forget",
    "config",
    "nvim",
    "plugin",
    "plugin nvim",
    "completions",
    "man",
];

#[tokio::test]
async fn the_help_is_as_kept() {
    let world = World::new();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    let update = std::env::var_os("CARRICK_UPDATE_HELP").is_some();
    for page in PAGES {
        let arguments: Vec<&str> = page.split_whitespace().chain(["--help"]).collect();
        let mut command = world.command(&arguments);
        command.env("COLUMNS", "100");
        let printed = finish(command).await.out;
        let file = kept
            .join(format!("{}.txt", if page.is_empty() { "carrick".into() } else { page.replace(' ', "-") }));
        if update {
            std::fs::write(&file, &printed).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(printed, expected, "{} differs; CARRICK_UPDATE_HELP=1 writes it anew", file.display());
    }
}

#[tokio::test]
async fn man_pages_and_completions_are_made() {
    let world = World::new();
    assert!(world.carrick(&["man"]).await.out.contains(".TH carrick 1"));
    assert_eq!(world.carrick(&["man", "pages"]).await.code, 0);
    assert!(world.work().join("pages/carrick-review-accept.1").exists());
    for shell in ["bash", "zsh", "fish"] {
        assert!(world.carrick(&["completions", shell]).await.out.contains("review"));
    }
}
