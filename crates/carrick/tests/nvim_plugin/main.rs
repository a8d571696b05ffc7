//! The Neovim plug-in inside real Neovim: one test here for each file of tests under `plugins/nvim/tests/`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod real_cli;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The newest Neovim and the oldest that we support, as folders of `target/tools`.
const NEWEST: &str = "nvim";
const OLDEST: &str = "nvim-0.10";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from)
}

/// A Neovim that `cargo xtask test` installs. Never a silent skip.
fn nvim(version: &str) -> PathBuf {
    let path = target().join("tools").join(version).join("bin/nvim");
    assert!(path.is_file(), "there is no {}; run `cargo xtask test`, which installs it", path.display());
    path
}

fn run(version: &str, specification: &str) {
    let tests = workspace().join("plugins/nvim/tests");
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(nvim(version))
        .args(["--clean", "-l"])
        .arg(tests.join("run.lua"))
        .arg(tests.join(format!("{specification}_spec.lua")))
        .current_dir(&home)
        .env("HOME", home.path())
        .env("TMPDIR", home.path())
        .env_remove("NVIM")
        .output()
        .unwrap();
    // Neovim's `-l` prints to standard error.
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains(" ran, 0 failed"), "{text}");
}

macro_rules! specifications {
    ($($name:ident),* $(,)?) => {
        const ALL: &[&str] = &[$(stringify!($name)),*];

        mod newest {
            $(#[test]
            fn $name() {
                super::run(super::NEWEST, stringify!($name));
            })*
        }

        mod oldest {
            $(#[test]
            fn $name() {
                super::run(super::OLDEST, stringify!($name));
            })*
        }
    };
}

specifications!(
    command,
    documents,
    health,
    inline,
    install,
    job,
    layout,
    review,
    selection,
    terminal,
    workspace_folders
);

#[test]
fn no_file_of_tests_is_forgotten() {
    let files = workspace().join("plugins/nvim/tests").read_dir().unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> =
        names.filter_map(|name| name.strip_suffix("_spec.lua").map(str::to_owned)).collect();
    names.sort();
    assert_eq!(names, ALL);
}
