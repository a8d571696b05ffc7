-- The two numbers that say whether this plug-in and the carrick program fit together.
return {
  -- The plug-in's own version; it is released with the program.
  plugin = "0.1.0",
  -- The number of the conversation in docs/neovim-rpc.md.
  contract = 1,
}
