//! Options as text, without anything that may be a key: variables, headers and settings are named, not shown.

use std::fmt;

use super::Options;

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        let flags: Vec<_> = self.extra_args.iter().map(|(name, _)| name).collect();
        out.debug_struct("Options")
            .field("program", &self.program)
            .field("cwd", &self.cwd)
            .field("env", &names)
            .field("model", &self.model)
            .field("permission_mode", &self.permission_mode)
            .field("resume", &self.resume)
            .field("session_id", &self.session_id)
            .field("tools", &self.tools)
            .field("allowed_tools", &self.allowed_tools)
            .field("settings", &self.settings.as_ref().map(|_| ".."))
            .field("mcp_servers", &self.mcp_servers)
            .field("sdk_servers", &self.servers.keys())
            .field("hooks", &self.hooks)
            .field("extra_args", &flags)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::McpConfig;

    #[test]
    fn no_secret_is_shown() {
        let secret = "sk-ant-secret";
        let header = vec![("Authorization".to_owned(), secret.to_owned())];
        let options = Options::new()
            .env("ANTHROPIC_API_KEY", secret)
            .settings(format!("{{\"env\":{{\"KEY\":\"{secret}\"}}}}"))
            .mcp_server(
                "remote",
                McpConfig::Http { url: format!("https://x/?key={secret}"), headers: header },
            )
            .extra_arg("api-key", Some(secret.into()));
        let shown = format!("{options:?}");
        assert!(!shown.contains(secret), "{shown}");
        assert!(shown.contains("ANTHROPIC_API_KEY") && shown.contains("remote"), "{shown}");
    }
}
