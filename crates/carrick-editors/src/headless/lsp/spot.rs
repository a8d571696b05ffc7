//! Where a name is that somebody asks about by line, by character or by its letters.

use carrick_core::{EditorError, Position, Spot};

use super::encoding::Lines;

/// The place to ask the server about.
pub(super) fn place(spot: &Spot, text: &str) -> Result<Position, EditorError> {
    let lines = Lines::of(text);
    match (&spot.symbol, spot.line, spot.character) {
        (Some(symbol), line, _) => named(symbol, line, text, &lines),
        (None, Some(line), character) => {
            // Without a character: the first thing on the line.
            let indent = lines.line(line).chars().take_while(|char| char.is_whitespace());
            let first = || indent.map(|char| char.len_utf16() as u32).sum();
            Ok(Position::new(line, character.unwrap_or_else(first)))
        }
        (None, None, _) => Err(EditorError::Invalid("name a `symbol`, a `line`, or both".into())),
    }
}

fn named(symbol: &str, line: Option<u32>, text: &str, lines: &Lines<'_>) -> Result<Position, EditorError> {
    let all =
        || text.lines().enumerate().map(|(number, words)| (u32::try_from(number).unwrap_or(u32::MAX), words));
    let found = match line {
        Some(line) => find(lines.line(line), symbol).map(|at| (line, at)),
        None => all().find_map(|(line, words)| find(words, symbol).map(|at| (line, at))),
    };
    let found = found.map(|(line, at)| {
        let before = lines.line(line).get(..at).unwrap_or_default();
        Position::new(line, before.encode_utf16().count() as u32)
    });
    found.ok_or_else(|| {
        let place = line.map_or_else(|| "the file".into(), |line| format!("line {line} (counted from 0)"));
        EditorError::Invalid(format!("`{symbol}` is not a word of {place}"))
    })
}

/// The first appearance as a whole word.
fn find(line: &str, word: &str) -> Option<usize> {
    let part = |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
    line.match_indices(word).find_map(|(at, _)| {
        let before = line.get(..at)?.chars().next_back();
        let after = line.get(at + word.len()..)?.chars().next();
        (!word.is_empty() && !part(before) && !part(after)).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: Option<u32>, character: Option<u32>, symbol: Option<&str>) -> Result<Position, EditorError> {
        let spot = Spot { path: "/a".into(), line, character, symbol: symbol.map(Into::into) };
        place(&spot, "let ab = 1;\n  😀 a = ab;\n")
    }

    #[test]
    fn names_are_whole_words_and_characters_count_utf16() {
        assert_eq!(at(None, None, Some("a")), Ok(Position::new(1, 5)));
        assert_eq!(at(Some(1), None, Some("ab")), Ok(Position::new(1, 9)));
        assert_eq!(at(Some(1), None, None), Ok(Position::new(1, 2)));
        assert_eq!(at(Some(0), Some(4), None), Ok(Position::new(0, 4)));
        assert!(at(Some(0), None, Some("zz")).is_err() && at(None, None, None).is_err());
    }
}
