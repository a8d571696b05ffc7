//! The review page in a real browser. Each test is a scene in `page/tests/scenes/`, played by Playwright; this side is
//! the stagehand: it holds the server and plays, or runs, the agent at the other end.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

mod play;
mod real;
mod scripted;

#[path = "../cli/stage.rs"]
#[allow(dead_code, reason = "shared with the tests of the real CLI; each uses its own part")]
mod stage;
#[path = "../command/world.rs"]
#[allow(dead_code, reason = "shared with the command tests; each uses its own part")]
mod world;
