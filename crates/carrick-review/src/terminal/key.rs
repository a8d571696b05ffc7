//! Keys out of the bytes that a terminal sends for them.

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Ctrl(char),
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Tab,
    Esc,
    /// Pasted text, whatever it is.
    Paste,
    /// A key that means nothing here.
    Other,
}

const PASTE: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Bytes that came and keys that are not whole yet.
#[derive(Debug, Default)]
pub(super) struct Keys {
    bytes: Vec<u8>,
    pasting: bool,
}

/// What the beginning of the bytes is.
enum Step {
    Key(Key, usize),
    Unfinished,
}

impl Keys {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// True when bytes wait for those that come after them.
    pub(super) fn is_unfinished(&self) -> bool {
        !self.bytes.is_empty() && !self.pasting
    }

    /// The next whole key. With `last`, nothing comes after these bytes: a lone escape is the key of that name.
    pub(super) fn next(&mut self, last: bool) -> Option<Key> {
        while self.pasting {
            self.skip_pasted()?;
        }
        if self.bytes.is_empty() {
            return None;
        }
        let (key, length) = match step(&self.bytes) {
            Step::Key(key, length) => (key, length),
            Step::Unfinished if last && self.bytes == [0x1b] => (Key::Esc, 1),
            Step::Unfinished if last => (Key::Other, self.bytes.len()),
            Step::Unfinished => return None,
        };
        self.pasting = key == Key::Paste;
        self.bytes.drain(..length);
        Some(key)
    }

    /// Drops pasted bytes; `None` when the end of them has not come yet.
    fn skip_pasted(&mut self) -> Option<()> {
        match self.bytes.windows(PASTE_END.len()).position(|window| window == PASTE_END) {
            Some(at) => {
                self.bytes.drain(..at + PASTE_END.len());
                self.pasting = false;
                Some(())
            }
            None => {
                // The end may be cut in two.
                let dropped = self.bytes.len().saturating_sub(PASTE_END.len() - 1);
                self.bytes.drain(..dropped);
                None
            }
        }
    }
}

fn step(bytes: &[u8]) -> Step {
    match bytes {
        [0x1b] | [0x1b, b'[' | b'O'] => Step::Unfinished,
        [0x1b, b'[', rest @ ..] => sequence(rest),
        [0x1b, b'O', last, ..] => Step::Key(arrow(*last), 3),
        // With Alt held down.
        [0x1b, _, ..] => Step::Key(Key::Other, 2),
        [b'\t', ..] => Step::Key(Key::Tab, 1),
        [b'\r' | b'\n' | 0x7f | 0, ..] => Step::Key(Key::Other, 1),
        [control @ 0x01..=0x1a, ..] => Step::Key(Key::Ctrl(char::from(control + b'a' - 1)), 1),
        _ => character(bytes),
    }
}

/// What stands after `ESC [`: digits and the like, then one letter.
fn sequence(rest: &[u8]) -> Step {
    let Some(end) = rest.iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
        return Step::Unfinished;
    };
    let length = 2 + end + 1;
    let key = match (rest.get(..end).unwrap_or_default(), rest.get(end)) {
        (b"200", Some(b'~')) => return Step::Key(Key::Paste, PASTE.len()),
        (b"1" | b"7", Some(b'~')) => Key::Home,
        (b"4" | b"8", Some(b'~')) => Key::End,
        (b"5", Some(b'~')) => Key::PageUp,
        (b"6", Some(b'~')) => Key::PageDown,
        (b"", Some(last)) => arrow(*last),
        _ => Key::Other,
    };
    Step::Key(key, length)
}

fn arrow(last: u8) -> Key {
    match last {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'H' => Key::Home,
        b'F' => Key::End,
        _ => Key::Other,
    }
}

fn character(bytes: &[u8]) -> Step {
    let whole = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => bytes
            .get(..error.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
        Err(error) => match error.error_len() {
            Some(length) => return Step::Key(Key::Other, length),
            None => return Step::Unfinished,
        },
    };
    whole.chars().next().map_or(Step::Unfinished, |first| Step::Key(Key::Char(first), first.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(pieces: &[&[u8]]) -> Vec<Key> {
        let (mut keys, mut found) = (Keys::default(), Vec::new());
        for piece in pieces {
            keys.push(piece);
            found.extend(std::iter::from_fn(|| keys.next(false)));
        }
        found.extend(std::iter::from_fn(|| keys.next(true)));
        found
    }

    #[test]
    fn letters_arrows_and_control_keys() {
        assert_eq!(
            all(&[b"a\x03\t\x1b[A\x1bOB\x1b[6~\x1b[H"]),
            [Key::Char('a'), Key::Ctrl('c'), Key::Tab, Key::Up, Key::Down, Key::PageDown, Key::Home]
        );
        assert_eq!(
            all(&["é\u{4e2d}".as_bytes(), b"\xff"]),
            [Key::Char('é'), Key::Char('\u{4e2d}'), Key::Other]
        );
    }

    #[test]
    fn what_is_cut_in_two_is_put_together_and_a_lone_escape_is_a_key() {
        assert_eq!(all(&[b"\x1b", b"[", b"B"]), [Key::Down]);
        assert_eq!(
            all(&["é".as_bytes().get(..1).unwrap(), "é".as_bytes().get(1..).unwrap()]),
            [Key::Char('é')]
        );
        assert_eq!(all(&[b"\x1b"]), [Key::Esc]);
        assert_eq!(all(&[b"\x1b[12;"]), [Key::Other]);
    }

    #[test]
    fn pasted_letters_are_no_keys() {
        assert_eq!(all(&[b"x\x1b[200~aaa\x1b[20", b"1~q"]), [Key::Char('x'), Key::Paste, Key::Char('q')]);
        assert_eq!(all(&[b"\x1b[200~never ending a a a"]), [Key::Paste]);
    }

    proptest! {
        #[test]
        fn no_bytes_panic_or_stay(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut keys = Keys::default();
            keys.push(&bytes);
            while keys.next(true).is_some() {}
            prop_assert!(!keys.is_unfinished());
        }
    }
}
