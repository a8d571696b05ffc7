//! The real ipykernel and a real JupyterLab.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod attached;
mod started;
mod world;
