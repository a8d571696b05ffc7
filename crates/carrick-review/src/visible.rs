//! Text from files, file names and agents, made safe to look at: no character reaches a terminal as a command, and none
//! hides from the reader.

/// What takes no room or turns the direction of writing, from the first to the last: invisible fillers, marks of
/// direction, variation selectors, tags. The two selectors that only choose between a picture and a letter (U+FE0E and
/// U+FE0F) are not here.
const HIDDEN: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0d}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// True for what a terminal may obey or what hides itself or other text.
#[must_use]
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || (!character.is_ascii() && HIDDEN.iter().any(|(first, last)| (*first..=*last).contains(&character)))
}

/// One line with every harmful character replaced by a picture or its number; tabs stay.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, character| {
        match character {
            '\t' => shown.push('\t'),
            _ => push_visible(&mut shown, character),
        }
        shown
    })
}

/// Adds one character as it may be shown; a tab is shown as a picture too.
pub fn push_visible(shown: &mut String, character: char) {
    match character {
        '\u{0}'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(character))),
        '\u{7f}' => shown.push('\u{2421}'),
        _ if is_harmful(character) => shown.push_str(&format!("<U+{:04X}>", u32::from(character))),
        _ => shown.push(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_and_turned_text_are_shown_as_what_they_are() {
        assert_eq!(visible("a\x1b[31mb\r\u{9b}c\u{202e}\t\x7f"), "a␛[31mb␍<U+009B>c<U+202E>\t␡");
        assert_eq!(visible("\u{61c}\u{ad}\u{2066}\u{feff}"), "<U+061C><U+00AD><U+2066><U+FEFF>");
        assert_eq!(visible("é ❤\u{fe0f} 漢字"), "é ❤\u{fe0f} 漢字");
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_left(text in any::<String>()) {
            prop_assert!(!visible(&text).chars().any(|c| c != '\t' && is_harmful(c)));
        }
    }
}
