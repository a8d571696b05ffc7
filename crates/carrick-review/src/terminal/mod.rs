//! The terminal room: the same reviews on a terminal screen.
