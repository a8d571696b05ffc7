//! The real `claude` CLI, driven in a home of its own.
//!
//! It sees a cleared environment, temporary folders and a dummy key; a person's own `~/.claude` is neither
//! read nor written, and the only address it is given is the scripted API's.

mod find;
mod home;
mod interactive;
mod print;

pub use find::{CLAUDE_TOOLS, CLAUDE_VARIABLE, CLAUDE_VERSION, Claude};
pub use home::{ClaudeHome, DUMMY_KEY};
pub use interactive::{ASK_FIRST, Interactive, Session};
pub use print::{Print, Printed};
