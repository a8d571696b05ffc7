//! Scenes with the real CLI at the other end.
