//! The crate against the real CLI and a scripted API: what it promises is what the CLI does.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod controls;
mod conversation;
mod end;
mod hooks;
mod interrupt;
mod mcp;
mod orphan;
mod permission;
mod sessions;
mod world;
