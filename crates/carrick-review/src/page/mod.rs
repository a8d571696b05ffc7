//! The web page: the same reviews in a browser, served on loopback from the binary itself.
