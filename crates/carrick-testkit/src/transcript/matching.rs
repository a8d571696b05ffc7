//! Comparing what was expected with what came: placeholders, matchers, and a difference people can read.
//!
//! There is one operation: [`resolve`] puts the actual value in the place of every matcher that accepts it.
//! When the outcome equals the actual message it fits; when not, the difference between the two shows only what
//! is really wrong.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use similar::TextDiff;

/// The key, or last array item, that stands for whatever else is there.
const OTHERS: &str = "<others>";
/// The only key of an object that stands for a string holding JSON.
const JSON: &str = "<json>";

pub(super) type Names = BTreeMap<String, String>;

/// `Ok` with what was captured, or a readable difference.
pub(super) fn compare(expected: &Value, actual: &Value) -> Result<Names, String> {
    let mut captured = Names::new();
    let resolved = resolve(expected, actual, &mut captured);
    if resolved == *actual { Ok(captured) } else { Err(difference(&resolved, actual)) }
}

/// Puts the values of `${names}` in every string and key.
pub(super) fn substitute(value: &Value, names: &Names) -> Value {
    match value {
        Value::String(text) => Value::String(substitute_text(text, names)),
        Value::Array(items) => items.iter().map(|item| substitute(item, names)).collect(),
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, item)| (substitute_text(key, names), substitute(item, names)));
            Value::Object(pairs.collect())
        }
        other => other.clone(),
    }
}

pub(super) fn substitute_text(text: &str, names: &Names) -> String {
    names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${{{name}}}"), value))
}

fn resolve(expected: &Value, actual: &Value, captured: &mut Names) -> Value {
    match (expected, actual) {
        (Value::String(text), _) => resolve_matcher(text, actual, captured),
        (Value::Array(items), Value::Array(actual)) => resolve_items(items, actual, captured),
        (Value::Object(map), Value::String(text)) if map.len() == 1 && map.contains_key(JSON) => {
            resolve_json(&map[JSON], text, captured)
        }
        (Value::Object(map), Value::Object(actual)) => resolve_fields(map, actual, captured),
        _ => expected.clone(),
    }
}

fn resolve_matcher(text: &str, actual: &Value, captured: &mut Names) -> Value {
    let unmatched = || Value::String(text.to_owned());
    let Some(inside) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else {
        return unmatched();
    };
    let (kind, name) = inside.split_once(" as ").map_or((inside, None), |(kind, name)| (kind, Some(name)));
    if !accepts(kind, actual) {
        return unmatched();
    }
    if let Some(name) = name {
        let value = actual.as_str().map_or_else(|| actual.to_string(), str::to_owned);
        captured.insert(name.to_owned(), value);
    }
    actual.clone()
}

fn accepts(kind: &str, actual: &Value) -> bool {
    match kind {
        "any" => true,
        "string" => actual.is_string(),
        "number" => actual.is_number(),
        "bool" => actual.is_boolean(),
        "array" => actual.is_array(),
        "object" => actual.is_object(),
        "uuid" => actual.as_str().is_some_and(is_uuid),
        _ => match (kind.strip_prefix("like "), actual.as_str()) {
            (Some(pattern), Some(text)) => is_like(pattern, text),
            _ => false,
        },
    }
}

fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// `*` stands for any text; everything else for itself.
fn is_like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            let cuts = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            cuts.into_iter().any(|cut| is_like(rest, &tail[cut..]))
        }),
    }
}

fn resolve_items(items: &[Value], actual: &[Value], captured: &mut Names) -> Value {
    let open = items.last().is_some_and(|last| last == OTHERS);
    let named = &items[..items.len() - usize::from(open)];
    let pair = |(index, item): (usize, &Value)| match actual.get(index) {
        Some(actual) => resolve(item, actual, captured),
        None => item.clone(),
    };
    let mut resolved: Vec<Value> = named.iter().enumerate().map(pair).collect();
    if open {
        resolved.extend(actual.iter().skip(named.len()).cloned());
    }
    resolved.into()
}

fn resolve_fields(map: &Map<String, Value>, actual: &Map<String, Value>, captured: &mut Names) -> Value {
    let named = map.iter().filter(|(key, _)| *key != OTHERS);
    let pair = |(key, item): (&String, &Value)| match actual.get(key) {
        Some(actual) => (key.clone(), resolve(item, actual, captured)),
        None => (key.clone(), item.clone()),
    };
    let mut resolved: Map<String, Value> = named.map(pair).collect();
    if map.contains_key(OTHERS) {
        for (key, value) in actual {
            resolved.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    resolved.into()
}

/// A string that fits is kept letter by letter; one that does not is shown as the JSON it should hold.
fn resolve_json(expected: &Value, text: &str, captured: &mut Names) -> Value {
    let Ok(actual) = serde_json::from_str::<Value>(text) else { return expected.to_string().into() };
    let resolved = resolve(expected, &actual, captured);
    if resolved == actual { text.into() } else { resolved.to_string().into() }
}

fn difference(expected: &Value, actual: &Value) -> String {
    let pretty = |value: &Value| format!("{value:#}\n");
    let (expected, actual) = (pretty(expected), pretty(actual));
    let diff = TextDiff::from_lines(expected.as_str(), actual.as_str());
    let lines = diff.iter_all_changes().map(|change| format!("  {}{}", change.tag(), change.value()));
    format!("  (- expected, + came)\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn matchers_accept_what_they_name_and_capture_it() {
        let expected = json!({"id": "<any>", "n": "<number>", "tab": "<like ✻ * ⧉ as tab>",
            "u": "<uuid>", "list": [1, "<others>"], "<others>": true});
        let actual = json!({"id": null, "n": 2, "tab": "✻ a.txt ⧉", "more": {},
            "u": "7bc182d9-4d81-44b5-b674-1990aecd2062", "list": [1, 2, 3]});
        let captured = compare(&expected, &actual).unwrap();
        assert_eq!(captured["tab"], "✻ a.txt ⧉");
    }

    #[test]
    fn json_in_a_string_is_compared_as_json() {
        let expected = json!({"text": {"<json>": [{"b": "<any>", "a": 1}]}});
        assert!(compare(&expected, &json!({"text": "[{\"a\": 1, \"b\": 2}]"})).is_ok());
        assert!(compare(&expected, &json!({"text": "[]"})).is_err());
        assert!(compare(&expected, &json!({"text": "no"})).is_err());
    }

    #[test]
    fn a_difference_shows_only_what_is_wrong() {
        let expected = json!({"id": "<number>", "result": {"ok": true}});
        let shown = compare(&expected, &json!({"id": 7, "result": {"ok": false}})).unwrap_err();
        assert!(shown.contains("-    \"ok\": true") && shown.contains("+    \"ok\": false"), "{shown}");
        assert!(!shown.contains("<number>"), "{shown}");
    }

    #[test]
    fn missing_and_superfluous_parts_are_differences() {
        assert!(compare(&json!({"a": "<any>"}), &json!({})).is_err());
        assert!(compare(&json!({}), &json!({"a": 1})).is_err());
        assert!(compare(&json!([1, 2]), &json!([1])).is_err());
        assert!(compare(&json!("<string>"), &json!(1)).is_err());
    }

    #[test]
    fn names_are_put_in_strings_and_keys() {
        let names = Names::from([("workspace".to_owned(), "/w \"q\"".to_owned())]);
        let put = substitute(&json!({"${workspace}": ["${workspace}/a", 1]}), &names);
        assert_eq!(put, json!({"/w \"q\"": ["/w \"q\"/a", 1]}));
    }
}
