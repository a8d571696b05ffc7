//! The built command, run as a person runs it, in a home of its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod configuration;
mod doctor;
mod help;
mod journal;
mod languages;
mod notebook;
mod panic;
mod review;
mod run;
mod serve;
mod shell;
mod takeover;
mod world;
