//! The two rooms in which a person reviews a proposed change, for editors with no diff view of their own.
//!
//! Both are views of the same reviews in `carrick-core`: what one decides, the other shows at once. Nothing here
//! knows which agent proposed the change or which editor is open.

pub mod page;
pub mod program;
pub mod terminal;
pub mod visible;
