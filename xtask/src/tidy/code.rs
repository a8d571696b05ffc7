//! Just enough of Rust's grammar to tell code from comments and literals, and to see through grouped imports.

/// The same text with comments and literals replaced by spaces; lines stay where they are.
pub(super) fn blank(text: &str) -> String {
    let (mut out, mut rest, mut previous) = (String::with_capacity(text.len()), text, ' ');
    while let Some(first) = rest.chars().next() {
        let hidden = if is_word(previous) { quoted(rest) } else { raw(rest).or_else(|| quoted(rest)) };
        let length = hidden.unwrap_or(first.len_utf8());
        let (piece, after) = rest.split_at(length);
        match hidden {
            Some(_) => out.extend(piece.chars().map(|char| if char == '\n' { '\n' } else { ' ' })),
            None => out.push(first),
        }
        previous = first;
        rest = after;
    }
    out
}

/// How long the comment, string or character literal is that the text begins with.
fn quoted(text: &str) -> Option<usize> {
    let rest_of_line = || text.find('\n').unwrap_or(text.len());
    match text.as_bytes() {
        [b'/', b'/', ..] => Some(rest_of_line()),
        [b'/', b'*', ..] => Some(block_comment(text)),
        [b'"', ..] => Some(until_quote(text, '"')),
        [b'\'', b'\\', ..] => Some(until_quote(text, '\'')),
        // `'a'` is a character, `'a` a lifetime.
        [b'\'', ..] => text.char_indices().nth(2).filter(|(_, char)| *char == '\'').map(|(at, _)| at + 1),
        _ => None,
    }
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let step = match rest.as_bytes() {
            [b'/', b'*', ..] => (depth += 1, 2).1,
            [b'*', b'/', ..] => (depth -= 1, 2).1,
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// To the closing quote, past escaped ones; the whole text when it never closes.
fn until_quote(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if char == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// How long the raw string is that the text begins with: `r"…"`, `br#"…"#` and their kin.
fn raw(text: &str) -> Option<usize> {
    let after_r = ["r", "br", "cr"].iter().find_map(|prefix| text.strip_prefix(prefix))?;
    let hashes = after_r.len() - after_r.trim_start_matches('#').len();
    let body = after_r.trim_start_matches('#').strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(hashes));
    let begin = text.len() - body.len();
    Some(body.find(&closing).map_or(text.len(), |at| begin + at + closing.len()))
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Every name in code that [`blank`] has cleaned, with its line. `use a::{b, c::d}` gives `a::b` and `a::c::d`.
pub(super) fn paths(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    walk(&mut tokens(code).into_iter(), &[], &mut found);
    found
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// `::`
    Join,
    Mark(char),
}

/// Reads to the end, or to the brace that closes the group `prefix` stands before.
fn walk(
    tokens: &mut impl Iterator<Item = (usize, Token)>,
    prefix: &[String],
    found: &mut Vec<(usize, String)>,
) {
    let mut name: Vec<String> = Vec::new();
    let (mut joined, mut began) = (false, 0);
    while let Some((line, token)) = tokens.next() {
        match token {
            Token::Join => {
                joined = true;
                continue;
            }
            Token::Word(word) if joined && !name.is_empty() => name.push(word),
            Token::Word(word) => {
                finish(prefix, &mut name, began, found);
                (name, began) = (vec![word], line);
            }
            Token::Mark('{') if joined => {
                let inner: Vec<String> = prefix.iter().cloned().chain(name.drain(..)).collect();
                walk_group(tokens, &inner, found);
            }
            Token::Mark('}') if !prefix.is_empty() => break,
            Token::Mark(_) => finish(prefix, &mut name, began, found),
        }
        joined = false;
    }
    finish(prefix, &mut name, began, found);
}

/// Through a trait object: the groups may be nested, and each level would be a type of its own otherwise.
fn walk_group(
    mut tokens: &mut dyn Iterator<Item = (usize, Token)>,
    prefix: &[String],
    found: &mut Vec<(usize, String)>,
) {
    walk(&mut tokens, prefix, found);
}

fn finish(prefix: &[String], name: &mut Vec<String>, line: usize, found: &mut Vec<(usize, String)>) {
    if !name.is_empty() {
        let whole: Vec<String> = prefix.iter().cloned().chain(name.drain(..)).collect();
        found.push((line, whole.join("::")));
    }
}

fn tokens(code: &str) -> Vec<(usize, Token)> {
    let mut found = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let (token, length) = token(rest, first);
            found.push((index + 1, token));
            rest = rest.get(length..).unwrap_or_default().trim_start();
        }
    }
    found
}

fn token(rest: &str, first: char) -> (Token, usize) {
    if is_word(first) {
        let length = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
        return (Token::Word(rest.chars().take_while(|char| is_word(*char)).collect()), length);
    }
    if rest.starts_with("::") { (Token::Join, 2) } else { (Token::Mark(first), first.len_utf8()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_go_and_lines_stay() {
        let text = "a(\"x // \\\" y\"); // z\nb('\\'', 'c', r#\"d\"e\"#) /* f /* g\n */ h */ i<'j>";
        let code = blank(text);
        let words: Vec<&str> = code.split(|char| !is_word(char)).filter(|word| !word.is_empty()).collect();
        assert_eq!(words, ["a", "b", "i", "j"]);
        assert_eq!(code.lines().count(), text.lines().count());
    }

    #[test]
    fn a_word_that_ends_in_r_begins_no_raw_string() {
        assert_eq!(blank("for\"x\" y").trim_end(), "for    y");
        assert_eq!(blank("é'é'").trim_end(), "é");
    }

    #[test]
    fn grouped_imports_are_spelled_out() {
        let found = paths("use a::{\n    b,\n    c::{d, e as f},\n};\nlet g = h::i::<J>();\nfn k() { l() }");
        let names: Vec<String> = found.iter().map(|(line, name)| format!("{line}:{name}")).collect();
        for expected in ["2:a::b", "3:a::c::d", "3:a::c::e", "5:h::i", "6:l"] {
            assert!(names.contains(&expected.to_owned()), "{expected} in {names:?}");
        }
    }
}
