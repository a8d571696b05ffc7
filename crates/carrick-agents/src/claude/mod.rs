//! The Claude Code door: a WebSocket MCP server on loopback that the CLI finds through a lock file.
//!
//! The way of a request, file by file: [`door`] accepts and [`handshake`] lets in or refuses; [`session`] owns the
//! connection and hands each message, read by [`rpc`], to the table in [`handler`]; a `tools/call` goes on to the
//! table in [`tools`]; the tool asks the desk or the editor and its answer goes back the same way. What the editor
//! does by itself goes out through [`push`]. [lock_file`] and [`lock_keeper`] tell the CLI where the door is, [`keepalive`] notices
//! who no longer answers, and [`dialect`] holds the words in which the same answer is said to different clients.

mod answer;
mod dialect;
mod door;
mod handler;
mod handshake;
mod in_flight;
mod keepalive;
mod lock_file;
mod lock_keeper;
mod methods;
mod params;
mod propose;
mod pulse;
mod push;
mod rpc;
mod session;
mod spot;
mod token;
mod tools;
mod wire;

pub use dialect::Dialect;
pub use door::{Door, DoorError, DoorOptions, Remembered};
pub use lock_file::{lock_dirs, sweep};
pub use token::Token;
