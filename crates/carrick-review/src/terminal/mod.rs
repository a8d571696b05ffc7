//! The terminal room: the same reviews on a terminal screen.
//!
//! It runs on a thread of its own, so that neither a large comparison nor a terminal that takes no output holds up the
//! desk. `source` is where the reviews come from, `change` what a person works on, `room` the state and its keys,
//! `draw` the picture of it, `screen` the terminal that is taken and given back.

mod change;
mod desk_source;
mod draw;
mod inline;
mod paint;
mod palette;
mod room;
pub mod source;
mod syntax;

pub use desk_source::DeskSource;
pub use room::Leaving;
