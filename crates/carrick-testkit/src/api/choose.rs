//! Which turn of which script answers a request, read from the request alone so that two CLIs can share one
//! API and a conversation can be taken up again at any point.

use serde_json::Value;

use super::request::Request;
use super::script::{Script, Turn};

/// What a request gets.
pub(super) enum Choice {
    /// A turn somebody wrote.
    Scripted(Turn),
    /// Something plain, for the requests the CLI makes by itself.
    Plain(String),
}

/// Finds the turn for `request` among `scripts`; the first script whose needle fits is the one.
pub(super) fn choose(scripts: &[Script], request: &Request) -> Choice {
    let Some(place) = place(&request.body) else { return Choice::Plain("ok".into()) };
    let fits = |script: &&Script| {
        place.prompt.contains(&script.needle) && (script.background || request.offers_tools())
    };
    match scripts.iter().find(fits) {
        None => Choice::Plain("ok".into()),
        Some(script) => match script.turns.get(place.turn) {
            Some(turn) => Choice::Scripted(turn.clone()),
            None => Choice::Plain(format!(
                "carrick-testkit: the script {:?} has no turn {}; add one with Script::turn",
                script.needle, place.turn
            )),
        },
    }
}

/// Where a conversation stands.
#[derive(Debug, PartialEq)]
struct Place {
    /// The newest text of the person's own.
    prompt: String,
    /// How many rounds of tool results came after it.
    turn: usize,
}

fn place(body: &Value) -> Option<Place> {
    let mut turn = 0;
    let mut in_results = false;
    for message in body["messages"].as_array()?.iter().rev() {
        if message["role"] != "user" {
            // A system message among the others carries context only and does not end a round of results.
            in_results &= message["role"] != "assistant";
            continue;
        }
        let prompt = own_text(&message["content"]);
        if !prompt.is_empty() {
            return Some(Place { prompt, turn });
        }
        if has_results(&message["content"]) && !in_results {
            turn += 1;
            in_results = true;
        }
    }
    None
}

fn has_results(content: &Value) -> bool {
    content.as_array().is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "tool_result"))
}

/// The text of a user message without what the CLI puts beside it.
fn own_text(content: &Value) -> String {
    match content {
        Value::String(text) => without_reminders(text),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block["text"].as_str()).map(without_reminders);
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn without_reminders(text: &str) -> String {
    let (open, close) = ("<system-reminder>", "</system-reminder>");
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        kept.push_str(&rest[..start]);
        let inside = &rest[start..];
        rest = inside.find(close).map_or("", |end| &inside[end + close.len()..]);
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(messages: &Value) -> Option<(String, usize)> {
        place(&json!({ "messages": messages })).map(|place| (place.prompt, place.turn))
    }

    #[test]
    fn a_plain_prompt_is_turn_zero() {
        let string = json!([{"role": "user", "content": "hello"}]);
        assert_eq!(at(&string), Some(("hello".into(), 0)));
    }

    #[test]
    fn reminders_beside_the_prompt_are_not_the_prompt() {
        let blocks = json!([{"role": "user", "content": [
            {"type": "text", "text": "<system-reminder>\nsecret needle\n</system-reminder>\n"},
            {"type": "text", "text": "the prompt"},
        ]}]);
        assert_eq!(at(&blocks), Some(("the prompt".into(), 0)));
    }

    #[test]
    fn each_round_of_results_is_one_turn_even_when_split_or_followed_by_context() {
        let rounds = json!([
            {"role": "user", "content": "older"},
            {"role": "assistant", "content": "yes"},
            {"role": "user", "content": "newer"},
            {"role": "assistant", "content": [{"type": "tool_use"}, {"type": "tool_use"}]},
            {"role": "user", "content": [{"type": "tool_result"}]},
            {"role": "system", "content": "context"},
            {"role": "user", "content": [{"type": "tool_result"}]},
            {"role": "assistant", "content": [{"type": "tool_use"}]},
            {"role": "user", "content": [{"type": "tool_result"}, {"type": "text", "text": "<system-reminder>x</system-reminder>"}]},
        ]);
        assert_eq!(at(&rounds), Some(("newer".into(), 2)));
    }

    #[test]
    fn a_prompt_that_comes_with_a_refused_result_starts_anew() {
        let refused = json!([
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": [{"type": "tool_use"}]},
            {"role": "user", "content": [{"type": "tool_result"}, {"type": "text", "text": "second"}]},
        ]);
        assert_eq!(at(&refused), Some(("second".into(), 0)));
    }
}
