//! carrick and the real CLI, end to end: what a person would do, with the model's part scripted.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod connect;
mod contents;
mod context;
mod decide;
mod diagnostics;
mod notebook;
mod room;
mod survive;
mod tools;

mod stage;
#[path = "../command/world.rs"]
#[allow(dead_code, reason = "shared with the command tests; each uses its own part")]
mod world;
