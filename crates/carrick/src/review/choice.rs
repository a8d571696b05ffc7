//! The key `review`: where a proposed change is shown.

/// Where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Choice {
    /// In the editor's own diff view; without one, in the page and in the terminal room.
    #[default]
    Editor,
    /// On the page.
    Page,
    /// In the terminal room.
    Terminal,
    /// In a diff program of the person's own; while that decides nothing, as for the editor.
    Command(String),
    /// Nowhere: the agent asks in its own terminal.
    Nowhere,
}

const COMMAND: &str = "command:";

impl Choice {
    /// Reads the key's value; the error says what it takes.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix(COMMAND).map(str::trim)) {
            ("editor", _) => Ok(Self::Editor),
            ("page", _) => Ok(Self::Page),
            ("terminal", _) => Ok(Self::Terminal),
            ("none", _) => Ok(Self::Nowhere),
            (_, Some("")) => Err("has no command after `command:`".into()),
            (_, Some(line)) => Ok(Self::Command(line.into())),
            _ => Err("takes one of editor, page, terminal, command:…, none".into()),
        }
    }

    /// The page is served.
    pub(crate) fn has_page(&self) -> bool {
        matches!(self, Self::Editor | Self::Page | Self::Command(_))
    }

    /// A terminal shows the room, not lines.
    pub(crate) fn has_room(&self) -> bool {
        matches!(self, Self::Editor | Self::Terminal | Self::Command(_))
    }

    /// The person's diff program.
    pub(crate) fn program(&self) -> Option<&str> {
        match self {
            Self::Command(line) => Some(line),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_read_and_others_are_refused() {
        assert_eq!(Choice::parse("editor"), Ok(Choice::Editor));
        assert_eq!(Choice::parse("command: nvim -d"), Ok(Choice::Command("nvim -d".into())));
        assert!(Choice::parse("command:").unwrap_err().contains("no command"));
        assert!(Choice::parse("browser").unwrap_err().contains("takes one of"));
        assert!(!Choice::Nowhere.has_page() && !Choice::Nowhere.has_room() && !Choice::Page.has_room());
    }
}
