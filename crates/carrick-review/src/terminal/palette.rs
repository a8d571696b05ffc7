//! How things look. Sixteen colours are enough, and everything can be told apart without any.

use ratatui::style::{Color, Modifier, Style};

use super::syntax::Token;

/// What a piece of the screen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// What the eye should find first.
    Strong,
    /// What it may pass over.
    Dim,
    /// The bars at the top and the bottom.
    Bar,
    /// What came.
    Added,
    /// What goes.
    Removed,
    /// The words that came.
    AddedWord,
    /// The words that go.
    RemovedWord,
    /// What wants attention.
    Note,
    /// A character that is shown as something else.
    Shown,
    /// A piece of source text.
    Syntax(Token),
}

/// The looks of all roles, with colours or without.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    pub(super) colours: bool,
}

impl Palette {
    pub(super) fn style(self, role: Role) -> Style {
        if self.colours { coloured(role) } else { uncoloured(role) }
    }
}

fn coloured(role: Role) -> Style {
    let style = Style::new();
    match role {
        Role::Plain => style,
        Role::Strong => style.add_modifier(Modifier::BOLD),
        Role::Dim | Role::Syntax(Token::Comment) => style.add_modifier(Modifier::DIM),
        Role::Bar => style.add_modifier(Modifier::REVERSED),
        Role::Added => style.fg(Color::Green),
        Role::Removed => style.fg(Color::Red),
        Role::AddedWord => style.fg(Color::Black).bg(Color::Green),
        Role::RemovedWord => style.fg(Color::Black).bg(Color::Red),
        Role::Note => style.fg(Color::Yellow),
        Role::Shown => style.fg(Color::Yellow).add_modifier(Modifier::REVERSED),
        Role::Syntax(Token::Text) => style.fg(Color::Yellow),
        Role::Syntax(Token::Number) => style.fg(Color::Cyan),
        Role::Syntax(Token::Keyword) => style.fg(Color::Magenta),
    }
}

fn uncoloured(role: Role) -> Style {
    let style = Style::new();
    match role {
        Role::Plain | Role::Added | Role::Removed | Role::Syntax(_) => style,
        Role::Strong | Role::Note => style.add_modifier(Modifier::BOLD),
        Role::Dim => style.add_modifier(Modifier::DIM),
        Role::Bar | Role::Shown => style.add_modifier(Modifier::REVERSED),
        Role::AddedWord | Role::RemovedWord => style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
    }
}
