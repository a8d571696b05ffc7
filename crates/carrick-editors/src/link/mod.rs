//! The link: JSON-RPC with Content-Length framing, between a desk and whoever joins it.
//!
//! The flow of a message is the order of the files: [`framing`] cuts bytes into bodies, [`rpc`] reads a body as
//! JSON-RPC, [`protocol`] says what each method takes and gives, [`host`] does it at the desk and [`guest`] asks for
//! it; [`brought`] is a guest that brings an editor, and is asked itself. [`place`] is where a desk is found. Only `place` and the accepting part of `host` know that there is a socket:
//! everything else works on any pair of byte streams, because an editor's plug-in speaks the same over stdio.

pub mod brought;
pub mod framing;
pub mod guest;
pub mod host;
pub mod place;
pub mod protocol;
pub mod rpc;
