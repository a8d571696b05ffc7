//! The back doors of carrick: the editors that stand behind the desk, and the link by which others join it.

pub mod headless;
pub mod link;
pub mod nvim;
