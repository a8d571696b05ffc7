//! Frames of every kind come back as the value they were.
