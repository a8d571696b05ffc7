//! Text from files, file names and agents, made safe to look at: no character reaches the terminal as a command.

/// True for what a terminal may obey or what hides other text: control characters, marks that turn the direction of
/// writing, and characters without a width.
fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
        || matches!(character, '\u{e0000}'..='\u{e007f}')
}

/// One line with every harmful character replaced by a picture or a number; tabs stay.
pub(crate) fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, character| {
        match character {
            '\t' => shown.push('\t'),
            '\u{0}'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(character))),
            '\u{7f}' => shown.push('\u{2421}'),
            _ if is_harmful(character) => shown.push_str(&format!("<U+{:04X}>", u32::from(character))),
            _ => shown.push(character),
        }
        shown
    })
}

/// The same for text of several lines.
pub(crate) fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// JSON with every harmful character escaped. They occur only inside strings, where the escape means the same.
pub(crate) fn visible_json(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut shown, character| {
        if is_harmful(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                shown.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            shown.push(character);
        }
        shown
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_and_turned_text_are_shown_as_what_they_are() {
        assert_eq!(visible("a\x1b[31mb\r\u{9b}c\u{202e}\t\x7f"), "a␛[31mb␍<U+009B>c<U+202E>\t␡");
        assert_eq!(visible_lines("a\nb\x07"), "a\nb␇");
        assert_eq!(visible_json("\"\u{9b}\u{e0041}\""), "\"\\u009b\\udb40\\udc41\"");
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_left(text in any::<String>()) {
            prop_assert!(!visible(&text).chars().any(|c| c != '\t' && is_harmful(c)));
        }

        #[test]
        fn json_still_means_the_same(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(serde_json::from_str::<String>(&visible_json(&json)).unwrap(), text);
        }
    }
}
