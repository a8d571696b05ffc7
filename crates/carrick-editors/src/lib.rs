//! The back doors of carrick: the editors that stand behind the desk, and the link by which others join it.

mod attend;
mod fronted;
pub mod headless;
pub mod lineage;
pub mod link;
pub mod nvim;
pub mod seat;
