//! What is told in the `initialize` request rather than in arguments.

use serde_json::{Map, Value, json};

use super::{Options, Skills};

impl Options {
    /// The fields of the `initialize` request, which says what has no flag: hooks, agents, skills and the rest.
    pub fn initialize_fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("hooks".into(), self.hooks.announcement().unwrap_or(Value::Null));
        if !self.agents.is_empty() {
            fields.insert("agents".into(), json!(self.agents));
        }
        if let Some(Skills::Only(names)) = &self.skills {
            fields.insert("skills".into(), json!(names));
        }
        fields.extend(self.initialize.clone());
        fields
    }
}
