//! Text from files, file names and agents, made safe to look at: no character reaches the terminal as a command.

use carrick_review::visible::is_harmful;
pub(crate) use carrick_review::visible::visible;

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
