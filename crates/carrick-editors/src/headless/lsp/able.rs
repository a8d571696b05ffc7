//! What we tell a server about ourselves, and what it tells us it can do.

use std::path::Path;

use carrick_core::Skill;
use serde_json::{Value, json};

use super::encoding::Encoding;
use super::wire::address;

/// How a server is asked what is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// It says so by itself.
    Push,
    /// It wants to be asked.
    Pull,
    /// It says so by itself, but without versions, in parts, and not at all when a clean file stays clean. The
    /// program behind it can be asked instead.
    TsServer,
}

/// What a server can do.
#[derive(Clone, Debug)]
pub(super) struct Able {
    capabilities: Value,
    pub(super) asking: Asking,
    pub(super) encoding: Encoding,
}

/// A command of typescript-language-server that passes a question on to TypeScript's own server.
pub(super) const TSSERVER: &str = "typescript.tsserverRequest";

impl Able {
    /// Reads the answer to `initialize`.
    pub(super) fn of(answer: &Value) -> Self {
        let capabilities = answer.get("capabilities").cloned().unwrap_or_default();
        let encoding = Encoding::named(capabilities.get("positionEncoding").and_then(Value::as_str));
        let commands = capabilities.pointer("/executeCommandProvider/commands").and_then(Value::as_array);
        let tsserver = commands.is_some_and(|all| all.iter().any(|command| command == TSSERVER));
        let asking = match (given(&capabilities, "diagnosticProvider"), tsserver) {
            (true, _) => Asking::Pull,
            (false, true) => Asking::TsServer,
            (false, false) => Asking::Push,
        };
        Self { capabilities, asking, encoding }
    }

    pub(super) fn can(&self, skill: Skill) -> bool {
        let provider = match skill {
            Skill::Definition => "definitionProvider",
            Skill::References => "referencesProvider",
            Skill::Hover => "hoverProvider",
            Skill::Symbols => "documentSymbolProvider",
            Skill::Rename => "renameProvider",
        };
        given(&self.capabilities, provider)
    }

    pub(super) fn can_format(&self) -> bool {
        given(&self.capabilities, "documentFormattingProvider")
    }

    pub(super) fn can_search(&self) -> bool {
        given(&self.capabilities, "workspaceSymbolProvider")
    }

    /// Whether it wants to hear that a file was saved; `Some(true)`: with its contents.
    pub(super) fn hears_saves(&self) -> Option<bool> {
        match self.capabilities.get("textDocumentSync") {
            Some(Value::Object(sync)) => match sync.get("save") {
                Some(Value::Object(save)) => Some(save.get("includeText") == Some(&Value::Bool(true))),
                Some(Value::Bool(true)) => Some(false),
                _ => None,
            },
            // A bare number: an older server, which takes every notification there is.
            Some(Value::Number(_)) => Some(false),
            _ => None,
        }
    }

    pub(super) fn diagnostic_name(&self) -> Option<&str> {
        self.capabilities.pointer("/diagnosticProvider/identifier").and_then(Value::as_str)
    }
}

fn given(capabilities: &Value, provider: &str) -> bool {
    !matches!(capabilities.get(provider), None | Some(Value::Null | Value::Bool(false)))
}

/// The parameters of `initialize`. Nothing is registered later and no file is watched for the server: it watches
/// better by itself what it cares for.
pub(super) fn introduction(root: &Path) -> Value {
    let folder =
        json!({ "uri": address(root), "name": root.file_name().unwrap_or_default().to_string_lossy() });
    json!({
        // Servers that look after their parent end when we do, however we end.
        "processId": std::process::id(),
        "clientInfo": { "name": "carrick", "version": env!("CARGO_PKG_VERSION") },
        "rootPath": root,
        "rootUri": address(root),
        "workspaceFolders": [folder],
        "capabilities": {
            "general": { "positionEncodings": ["utf-16", "utf-8", "utf-32"] },
            "window": { "workDoneProgress": true },
            "workspace": {
                "configuration": true,
                "workspaceFolders": true,
                "workspaceEdit": { "documentChanges": true },
                "symbol": {},
                "diagnostics": { "refreshSupport": true },
            },
            "textDocument": {
                "synchronization": { "didSave": true },
                "publishDiagnostics": { "versionSupport": true, "relatedInformation": false },
                "diagnostic": { "dynamicRegistration": false, "relatedDocumentSupport": false },
                "definition": { "linkSupport": true },
                "references": {},
                "hover": { "contentFormat": ["markdown", "plaintext"] },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                "rename": { "prepareSupport": false },
                "formatting": {},
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_does_not_say_it_cannot_do() {
        let able = Able::of(&json!({"capabilities": {
            "hoverProvider": true, "definitionProvider": {}, "renameProvider": false,
            "positionEncoding": "utf-8", "textDocumentSync": {"save": {"includeText": true}},
        }}));
        assert!(able.can(Skill::Hover) && able.can(Skill::Definition));
        assert!(!able.can(Skill::Rename) && !able.can(Skill::References) && !able.can_format());
        assert_eq!(
            (able.asking, able.encoding, able.hears_saves()),
            (Asking::Push, Encoding::Utf8, Some(true))
        );
        assert_eq!(Able::of(&json!(null)).hears_saves(), None);
    }

    #[test]
    fn pull_goes_before_push() {
        let able = Able::of(&json!({"capabilities": {"diagnosticProvider": {"identifier": "ruff"}}}));
        assert_eq!((able.asking, able.diagnostic_name()), (Asking::Pull, Some("ruff")));
        let able = Able::of(&json!({"capabilities": {"executeCommandProvider": {"commands": [TSSERVER]}}}));
        assert_eq!(able.asking, Asking::TsServer);
    }
}
