//! The built-in editor with language servers: a scripted one for everything that goes wrong, and the real ones.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod ground;
mod names;
mod real;
mod scripted;
mod trouble;
