//! Neovim as an editor of the desk, over msgpack-rpc with carrick's own plug-in.
//!
//! docs/neovim-rpc.md is the contract with the plug-in. The flow of a message is the order of the files: [`message`]
//! is msgpack-rpc in bytes, [`channel`] calls and listens, [`words`] are the contract's shapes, [`news`] is what the
//! plug-in tells by itself, and [`Neovim`] does for the desk what an editor does.

pub mod channel;
mod column;
mod diagnostics;
mod editor;
pub mod message;
pub mod news;
mod open;
mod room;
mod words;

pub use editor::{CONTRACT, Greeting, Neovim};
pub use room::DeskFacts;

#[cfg(test)]
mod tests;
