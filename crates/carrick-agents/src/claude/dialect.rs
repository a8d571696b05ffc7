//! The words in which the same answer is said to different clients. A dialect is data: the table below.
//!
//! The descriptions of the protocol disagree, and so do the clients that were written from them. What today's CLI
//! reads is the same in all three dialects or the default; everything else is a row here, and a person can change
//! single cells in the configuration (`[dialect_shapes]`).

use carrick_core::Severity;

/// How `getOpenEditors` lists tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenEditors {
    /// `{"tabs":[…]}`, every field.
    Tabs,
    /// A bare list with five fields.
    List,
}

/// How `getWorkspaceFolders` lists folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folders {
    /// `{"name","uri","path"}` each.
    Objects,
    /// Plain paths.
    Strings,
}

/// How `getDiagnostics` groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// `[{"uri","diagnostics":[…]}]`: the only form that the CLI reads.
    ByFile,
    /// One list for all files.
    Flat,
}

/// How a severity is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeverityForm {
    /// `Error`, `Warning`, `Info`, `Hint`.
    Words,
    /// `ERROR`, `WARNING`, `WEAK_WARNING`, `INFO`.
    Capitals,
    /// 1 to 4, as in LSP.
    Numbers,
}

/// What a rejected `openDiff` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    /// `DIFF_REJECTED` and the tab name.
    WithTab,
    /// `DIFF_REJECTED` alone.
    Alone,
}

/// How the paths in answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathForm {
    Absolute,
    /// Relative to the workspace folder that holds the file.
    Relative,
}

/// What `getDiagnostics` without a uri asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoUri {
    AllFiles,
    CurrentFile,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    pub(crate) name: &'static str,
    /// What a plain success says; `None`: a sentence of its own for each tool.
    pub(crate) done: Option<&'static str>,
    pub(crate) not_opened: Option<&'static str>,
    pub(crate) tab_closed: &'static str,
    pub(crate) tab_missing: &'static str,
    pub(crate) rejected: Rejected,
    pub(crate) severity: SeverityForm,
    pub(crate) open_editors: OpenEditors,
    pub(crate) folders: Folders,
    pub(crate) diagnostics: Grouping,
    pub(crate) no_uri: NoUri,
    pub(crate) paths: PathForm,
    /// What `getWorkspaceInfo` calls a workspace that is no vault.
    pub(crate) workspace_type: &'static str,
}

const VSCODE: Dialect = Dialect {
    name: "vscode",
    done: None,
    not_opened: None,
    tab_closed: "TAB_CLOSED",
    tab_missing: "TAB_CLOSED",
    rejected: Rejected::WithTab,
    severity: SeverityForm::Words,
    open_editors: OpenEditors::Tabs,
    folders: Folders::Objects,
    diagnostics: Grouping::ByFile,
    no_uri: NoUri::AllFiles,
    paths: PathForm::Absolute,
    workspace_type: "workspace",
};

const JETBRAINS: Dialect = Dialect {
    name: "jetbrains",
    done: Some("OK"),
    not_opened: Some("Project is closed or directory not found"),
    tab_closed: "OK",
    tab_missing: "Tab not found",
    rejected: Rejected::Alone,
    severity: SeverityForm::Capitals,
    no_uri: NoUri::CurrentFile,
    ..VSCODE
};

const OBSIDIAN: Dialect = Dialect {
    name: "obsidian",
    open_editors: OpenEditors::List,
    folders: Folders::Strings,
    paths: PathForm::Relative,
    workspace_type: "obsidian-vault",
    ..VSCODE
};

const DIALECTS: &[Dialect] = &[VSCODE, JETBRAINS, OBSIDIAN];

impl Default for Dialect {
    fn default() -> Self {
        VSCODE
    }
}

impl Dialect {
    /// The dialects there are.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        DIALECTS.iter().map(|dialect| dialect.name).collect()
    }

    /// One of them.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        DIALECTS.iter().find(|dialect| dialect.name == name).cloned()
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The cells that can be changed one by one, with the values each takes.
    pub const SHAPES: &'static [(&'static str, &'static [&'static str])] = &[
        ("open_editors", &["tabs", "list"]),
        ("folders", &["objects", "strings"]),
        ("diagnostics", &["by-file", "flat"]),
        ("severity", &["words", "capitals", "numbers"]),
        ("rejected", &["with-tab", "alone"]),
        ("paths", &["absolute", "relative"]),
    ];

    /// Changes one cell.
    ///
    /// # Errors
    /// There is no such cell, or it does not take that value; the text says what there is.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("open_editors", "tabs") => self.open_editors = OpenEditors::Tabs,
            ("open_editors", "list") => self.open_editors = OpenEditors::List,
            ("folders", "objects") => self.folders = Folders::Objects,
            ("folders", "strings") => self.folders = Folders::Strings,
            ("diagnostics", "by-file") => self.diagnostics = Grouping::ByFile,
            ("diagnostics", "flat") => self.diagnostics = Grouping::Flat,
            ("severity", "words") => self.severity = SeverityForm::Words,
            ("severity", "capitals") => self.severity = SeverityForm::Capitals,
            ("severity", "numbers") => self.severity = SeverityForm::Numbers,
            ("rejected", "with-tab") => self.rejected = Rejected::WithTab,
            ("rejected", "alone") => self.rejected = Rejected::Alone,
            ("paths", "absolute") => self.paths = PathForm::Absolute,
            ("paths", "relative") => self.paths = PathForm::Relative,
            _ => return Err(refusal(key, value)),
        }
        Ok(())
    }

    /// How this dialect writes a severity.
    pub(crate) fn severity(&self, severity: Severity) -> serde_json::Value {
        let index = severity as usize;
        let word = |words: [&'static str; 4]| words.into_iter().nth(index).unwrap_or("Error").into();
        match self.severity {
            SeverityForm::Words => word(["Error", "Warning", "Info", "Hint"]),
            SeverityForm::Capitals => word(["ERROR", "WARNING", "WEAK_WARNING", "INFO"]),
            SeverityForm::Numbers => (index + 1).into(),
        }
    }
}

fn refusal(key: &str, value: &str) -> String {
    match Dialect::SHAPES.iter().find(|(known, _)| *known == key) {
        Some((_, values)) => format!("`{key}` does not take {value:?}; it takes {}", values.join(", ")),
        None => {
            let keys: Vec<&str> = Dialect::SHAPES.iter().map(|(known, _)| *known).collect();
            format!("a dialect has no shape `{key}`; there are {}", keys.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_shape_can_be_set() {
        let mut dialect = Dialect::default();
        for (key, values) in Dialect::SHAPES {
            for value in *values {
                dialect.set(key, value).unwrap();
            }
        }
        assert_ne!(dialect, VSCODE);
        assert!(dialect.set("folders", "x").unwrap_err().contains("objects, strings"));
        assert!(dialect.set("x", "y").unwrap_err().contains("open_editors"));
    }

    #[test]
    fn the_weakest_jetbrains_severity_is_info() {
        let dialect = Dialect::named("jetbrains").unwrap();
        assert_eq!(dialect.severity(Severity::Info), "WEAK_WARNING");
        assert_eq!(dialect.severity(Severity::Hint), "INFO");
    }
}
