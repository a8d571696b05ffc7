//! The built-in editor: files, tabs and a tree, without a screen.
