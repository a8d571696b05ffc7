//! carrick and real Neovim, end to end: the plug-in in a headless Neovim, a client that plays the CLI.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod attach;
mod ends;
mod folders;
mod neovim;
mod review;
mod selection;
mod several;
mod tools;

#[path = "../command/world.rs"]
#[allow(dead_code, reason = "shared with the command tests; each uses its own part")]
mod world;
