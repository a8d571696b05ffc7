//! Jupyter kernels: find the one that belongs to a workspace, start or attach it, run code, interrupt.
//!
//! The flow, file by file: [`Kernels`] keeps one kernel for a workspace. It finds it (`find`,
//! `server`), starts it (`start`) or reads its connection file (`connection`), opens its sockets (`wires`)
//! and leaves them to one task (`kernel`) that runs one piece of code after the other (`run`) and keeps what
//! comes back within bounds (`collect`, `media`, `text`).
//!
//! What is *not* here: consent, agents, editors. Whoever calls this crate has decided that the code may run.

mod collect;
mod connection;
mod error;
mod find;
mod http;
mod kernel;
mod kernels;
mod media;
mod places;
mod run;
mod server;
mod spec;
mod start;
mod text;
mod wires;

pub use error::KernelError;
pub use kernels::{Choice, Kernels, Known};
pub use places::Places;

/// A piece of what a kernel printed or drew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Text, freed of colours.
    Text(String),
    /// A picture.
    Image {
        /// The file itself.
        bytes: Vec<u8>,
        /// `image/png` or `image/jpeg`.
        mime: &'static str,
    },
    /// What went wrong, with the traceback if there is one.
    Error(String),
}
