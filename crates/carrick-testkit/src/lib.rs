//! Test equipment for tying an editor to the Claude Code CLI, usable outside this workspace too.
//!
//! Everything here is the real thing or plays exactly one side of a real conversation:
//!
//! * [`api`]: a Messages API on 127.0.0.1 that answers from a script and records every request;
//! * [`claude`]: the real `claude` CLI in a home of its own, in a pseudo-terminal or in print mode;
//! * [`terminal`]: any other command in a pseudo-terminal, with its screen as text;
//! * [`ide_client`]: a WebSocket client that plays the CLI's part against an IDE server;
//! * [`jupyter`]: the real ipykernel and a real JupyterLab;
//! * [`tools`]: the other programs that tests need, such as language servers;
//! * [`transcript`]: conversations kept as files that read as documentation and run as tests.
//!
//! Nothing in this crate talks to another host, and nothing it starts outlives the value that started it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "test equipment: a broken assumption must fail the test that relies on it, loudly and at once"
)]

pub mod api;
pub mod claude;
pub mod family;
pub mod ide_client;
pub mod jupyter;
pub mod terminal;
pub mod tools;
pub mod transcript;

/// What fallible parts of this crate return; the message says what to do next.
pub use anyhow::Result;
