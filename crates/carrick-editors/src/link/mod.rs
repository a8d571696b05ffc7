//! The link: JSON-RPC with Content-Length framing, between a desk and whoever joins it.
