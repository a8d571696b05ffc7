//! Keys as the bytes a terminal sends for them.

/// A key that is not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab together.
    BackTab,
    /// Delete to the left.
    Backspace,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Control with a letter.
    Ctrl(char),
}

impl Key {
    /// What the terminal writes when the key is pressed.
    pub fn bytes(self) -> Vec<u8> {
        match self {
            Key::Enter => b"\r".to_vec(),
            Key::Esc => b"\x1b".to_vec(),
            Key::Tab => b"\t".to_vec(),
            Key::BackTab => b"\x1b[Z".to_vec(),
            Key::Backspace => b"\x7f".to_vec(),
            Key::Up => b"\x1b[A".to_vec(),
            Key::Down => b"\x1b[B".to_vec(),
            Key::Right => b"\x1b[C".to_vec(),
            Key::Left => b"\x1b[D".to_vec(),
            Key::Ctrl(letter) => vec![(letter as u8) & 0x1f],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_keys_are_the_low_letters() {
        assert_eq!(Key::Ctrl('c').bytes(), [3]);
        assert_eq!(Key::Ctrl('D').bytes(), [4]);
    }
}
