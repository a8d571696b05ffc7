//! Colours for source text: comments, texts, numbers and keywords, by the kind of file.
//!
//! A small lexer instead of a grammar library: a review needs landmarks, not a parse tree, and a server that may never
//! show a room should not carry megabytes of grammars.

mod languages;

use std::ops::Range;
use std::path::Path;

pub(super) use languages::Language;

/// What a piece of source text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Comment,
    Text,
    Number,
    Keyword,
}

/// What a line begins inside of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Code,
    /// Inside a comment or a text that ends with this.
    Until(&'static str, Token),
}

impl Token {
    fn text_or(self, comment: bool) -> Self {
        if comment { Self::Comment } else { self }
    }
}

/// Coloured parts of a line, in bytes, in order.
pub(super) type Parts = Vec<(Range<usize>, Token)>;

impl Language {
    /// The language of a file, by its name.
    pub(super) fn of(path: &Path) -> Option<&'static Self> {
        let name = path.file_name()?.to_str()?;
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or(name).to_ascii_lowercase();
        languages::ALL
            .iter()
            .find(|language| language.files.contains(&ending.as_str()) || language.files.contains(&name))
    }

    /// The parts of a line, and what the next line begins inside of.
    pub(super) fn parts(&self, line: &str, state: State) -> (Parts, State) {
        let mut reader = Reader { language: self, line, at: 0, parts: Parts::new() };
        let state = reader.read(state);
        (reader.parts, state)
    }
}

struct Reader<'a> {
    language: &'a Language,
    line: &'a str,
    at: usize,
    parts: Parts,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, length: usize, token: Token) {
        let end = (self.at + length).min(self.line.len());
        self.parts.push((self.at..end, token));
        self.at = end;
    }

    fn read(&mut self, mut state: State) -> State {
        while self.at < self.line.len() {
            state = match state {
                State::Until(closing, token) => self.inside(closing, token),
                State::Code => self.code(),
            };
        }
        match state {
            // A text that must end on its line has ended, closed or not.
            State::Until(closing, Token::Text) if closing.len() == 1 && closing != "`" => State::Code,
            other => other,
        }
    }

    /// Reads to the end of a comment or text.
    fn inside(&mut self, closing: &'static str, token: Token) -> State {
        let escapes = token == Token::Text && !self.language.raw;
        match end_of(self.rest(), closing, escapes) {
            Some(length) => {
                self.take(length, token);
                State::Code
            }
            None => {
                self.take(self.line.len(), token);
                State::Until(closing, token)
            }
        }
    }

    fn code(&mut self) -> State {
        let (language, rest) = (self.language, self.rest());
        if language.line_comments.iter().any(|opening| rest.starts_with(opening)) {
            self.take(self.line.len(), Token::Comment);
            return State::Code;
        }
        let opened = language.blocks.iter().find(|(opening, ..)| rest.starts_with(opening));
        if let Some((opening, closing, comment)) = opened {
            self.take(opening.len(), Token::Text.text_or(*comment));
            return State::Until(closing, Token::Text.text_or(*comment));
        }
        self.word();
        State::Code
    }

    /// A word, a number or one other character.
    fn word(&mut self) {
        let rest = self.rest();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        match word.chars().next() {
            Some(first) if first.is_ascii_digit() => self.take(length, Token::Number),
            Some(_) if self.language.keywords.contains(&word) => self.take(length, Token::Keyword),
            Some(_) => self.at += length,
            None => self.at += character(rest),
        }
    }
}

/// How much to pass over: one character, or a whole quoted one such as `'"'`, whose quote must not open a text.
fn character(rest: &str) -> usize {
    let mut characters = rest.chars();
    let first = characters.next();
    let quoted = first == Some('\'') && {
        let inner = characters.next();
        inner != Some('\\') && characters.next() == Some('\'')
    };
    let count = if quoted { 3 } else { 1 };
    rest.chars().take(count).map(char::len_utf8).sum()
}

fn end_of(rest: &str, closing: &str, escapes: bool) -> Option<usize> {
    let mut at = 0;
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        if tail.starts_with(closing) {
            return Some(at + closing.len());
        }
        let escaped = escapes && tail.starts_with('\\');
        at += tail.chars().take(1 + usize::from(escaped)).map(char::len_utf8).sum::<usize>();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(file: &str, lines: &[&str]) -> Vec<(String, Token)> {
        let language = Language::of(Path::new(file)).unwrap();
        let (mut state, mut found) = (State::Code, Vec::new());
        for line in lines {
            let (parts, next) = language.parts(line, state);
            found.extend(parts.into_iter().map(|(range, token)| (line[range].to_owned(), token)));
            state = next;
        }
        found
    }

    #[test]
    fn rust_has_its_landmarks() {
        let found = tokens("a.rs", &["let a = \"x\\\"//\"; // 1 let"]);
        let words: Vec<(&str, Token)> = found.iter().map(|(text, token)| (text.as_str(), *token)).collect();
        let expected = [
            ("let", Token::Keyword),
            ("\"", Token::Text),
            ("x\\\"//\"", Token::Text),
            ("// 1 let", Token::Comment),
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn comments_and_texts_go_on_over_lines() {
        let found = tokens("a.c", &["/* one", "two */ 3"]);
        assert_eq!(found.last(), Some(&("3".into(), Token::Number)));
        assert_eq!(found[2], ("two */".into(), Token::Comment));
        let found = tokens("a.py", &["x = '''a", "b''' # c"]);
        assert_eq!(found.last(), Some(&("# c".into(), Token::Comment)));
    }

    #[test]
    fn a_quote_that_is_a_character_or_never_closed_opens_nothing() {
        assert_eq!(tokens("a.rs", &["'\"' fn"]), [("fn".into(), Token::Keyword)]);
        assert_eq!(tokens("a.rs", &["let x = \"open", "fn"])[3], ("fn".into(), Token::Keyword));
    }

    #[test]
    fn files_are_known_by_ending_or_name() {
        for file in ["a.rs", "A.PY", "Makefile", "b/c.d.ts", "x.yml", "Dockerfile"] {
            assert!(Language::of(Path::new(file)).is_some(), "{file}");
        }
        assert!(Language::of(Path::new("notes.txt")).is_none());
    }

    proptest! {
        #[test]
        fn parts_are_in_order_and_inside_the_line(line in "\\PC{0,40}", kind in 0..languages::ALL.len()) {
            let (parts, _) = languages::ALL[kind].parts(&line, State::Code);
            let mut last = 0;
            for (range, _) in parts {
                prop_assert!(range.start >= last && range.end <= line.len() && line.get(range.clone()).is_some());
                last = range.end;
            }
        }
    }
}
