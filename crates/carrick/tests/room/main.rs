//! The terminal room as a person meets it: keys in, screens out. The screens are kept as files in `screens/`;
//! `CARRICK_UPDATE_SCREENS=1 cargo test -p carrick --test room` writes them anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod choose;
mod decide;
mod restore;
mod rooms;
mod show;
mod stage;
mod tmux;

#[path = "../command/world.rs"]
#[allow(dead_code, reason = "shared with the command tests; each uses its own part")]
mod world;
