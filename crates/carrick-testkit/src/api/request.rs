//! What reached the API: one record per request, with the questions tests ask of it.

use serde_json::Value;

/// One request as it arrived. Headers are kept whole: the only key ever seen here is a dummy.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Names in lower case, in the order they came.
    pub headers: Vec<(String, String)>,
    /// The body as JSON, or null when it is not JSON.
    pub body: Value,
    /// The body as it came.
    pub raw: String,
}

impl Request {
    /// The value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether `needle` stands anywhere in what the request says: in the raw body, or in any of its strings
    /// once JSON's escapes are undone.
    pub fn contains(&self, needle: &str) -> bool {
        self.raw.contains(needle) || any_string(&self.body, &|text| text.contains(needle))
    }

    /// Whether this is a model request (not a token count, not a probe).
    pub fn is_message(&self) -> bool {
        self.method == "POST" && self.path.split('?').next() == Some("/v1/messages")
    }

    /// Whether tools are offered, which is what tells a conversation from the CLI's own side requests.
    pub fn offers_tools(&self) -> bool {
        self.body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
    }

    /// The names of the tools offered to the model.
    pub fn tool_names(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array().map_or(&[][..], Vec::as_slice);
        tools.iter().filter_map(|tool| tool["name"].as_str()).collect()
    }

    /// Every tool result block in the conversation so far, oldest first.
    pub fn tool_results(&self) -> Vec<&Value> {
        let messages = self.body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
        blocks.filter(|block| block["type"] == "tool_result").collect()
    }
}

fn any_string(value: &Value, test: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => test(text),
        Value::Array(items) => items.iter().any(|item| any_string(item, test)),
        Value::Object(map) => map.iter().any(|(key, item)| test(key) || any_string(item, test)),
        _ => false,
    }
}
