//! The front doors of carrick: how coding agents come in.
//!
//! Nothing here knows which editor stands behind the desk. Adding an agent touches only this crate.

pub mod claude;
