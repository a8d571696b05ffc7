//! A copy of a session under new ids, up to some message: both can go on from there.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::entry::{Link, each_line};
use super::{Sessions, at, time};
use crate::error::{Error, Result};
use crate::uuid::v4;

/// State of the old session that must not live on in the new one.
const LEFT_OUT: [&str; 4] = ["teamName", "agentName", "slug", "sourceToolAssistantUUID"];

impl Sessions {
    /// Copies a session, to `up_to` (a message's UUID) or whole, and returns the copy's id.
    pub fn fork(&self, id: &str, up_to: Option<&str>, title: Option<&str>) -> Result<String> {
        let path = self.file(id)?;
        let plan = Plan::read(&path, id, up_to)?;
        let derived = || self.info(id).ok().flatten().map(|info| format!("{} (fork)", info.summary));
        let title = title.map(str::to_owned).or_else(derived).unwrap_or_else(|| "Forked session".into());
        let new = path.with_file_name(format!("{}.jsonl", plan.id));
        // Under another name until it is whole, so that nobody resumes half a session.
        let unfinished = new.with_extension("part");
        let written = plan.write(&path, &unfinished, &title);
        if written.is_err() {
            let _ = std::fs::remove_file(&unfinished);
        }
        written?;
        std::fs::rename(&unfinished, &new).map_err(at(&new))?;
        Ok(plan.id)
    }
}

/// Which lines are copied, and under which ids.
struct Plan {
    from: String,
    id: String,
    ids: HashMap<String, String>,
    /// Lines that only link others are left out; what follows them follows what they followed.
    skipped: HashMap<String, Option<String>>,
    last: Option<String>,
}

impl Plan {
    fn read(path: &Path, from: &str, up_to: Option<&str>) -> Result<Self> {
        let (ids, skipped) = (HashMap::new(), HashMap::new());
        let mut plan = Self { from: from.to_owned(), id: v4()?, ids, skipped, last: None };
        let mut found = up_to.is_none();
        each_line(path, |line| {
            let link: Link = serde_json::from_slice(line).unwrap_or_default();
            let (false, Some(uuid)) = (link.is_sidechain, link.uuid) else { return Ok(true) };
            let is_last = Some(uuid.as_str()) == up_to;
            if link.kind == "progress" {
                plan.skipped.insert(uuid, link.parent_uuid);
            } else {
                plan.ids.insert(uuid.clone(), v4()?);
                plan.last = Some(uuid);
            }
            found |= is_last;
            Ok(!is_last)
        })?;
        match (found, plan.last.is_some()) {
            (true, true) => Ok(plan),
            (false, _) => {
                Err(Error::Option(format!("session {from} has no message {}", up_to.unwrap_or_default())))
            }
            (_, false) => Err(Error::Option(format!("session {from} has no messages to fork"))),
        }
    }

    fn write(&self, from: &Path, to: &Path, title: &str) -> Result<()> {
        let now = time::now();
        let mut out = BufWriter::new(File::create(to).map_err(at(to))?);
        let mut left = self.ids.len();
        each_line(from, |line| {
            let Ok(Value::Object(entry)) = serde_json::from_slice(line) else { return Ok(left > 0) };
            if let Some(copy) = self.copy(entry, &now) {
                writeln!(out, "{copy}").map_err(at(to))?;
                left -= 1;
            }
            Ok(left > 0)
        })?;
        let title = json!({"type": "custom-title", "customTitle": title, "sessionId": self.id});
        writeln!(out, "{title}").and_then(|()| out.flush()).map_err(at(to))
    }

    fn copy(&self, mut entry: Map<String, Value>, now: &str) -> Option<Value> {
        let old = entry.get("uuid")?.as_str()?.to_owned();
        let new = self.ids.get(&old)?.clone();
        let parent = entry.get("parentUuid").and_then(Value::as_str).and_then(|parent| self.parent(parent));
        let logical =
            entry.get("logicalParentUuid").and_then(Value::as_str).and_then(|old| self.ids.get(old));
        if entry.contains_key("logicalParentUuid") {
            entry.insert("logicalParentUuid".into(), json!(logical));
        }
        // The newest message is where a resumed session goes on.
        if self.last.as_ref() == Some(&old) {
            entry.insert("timestamp".into(), now.into());
        }
        LEFT_OUT.iter().for_each(|key| drop(entry.remove(*key)));
        entry.insert("parentUuid".into(), json!(parent));
        entry.insert("uuid".into(), new.into());
        entry.insert("sessionId".into(), self.id.as_str().into());
        entry.insert("isSidechain".into(), false.into());
        entry.insert("forkedFrom".into(), json!({"sessionId": self.from, "messageUuid": old}));
        Some(entry.into())
    }

    fn parent(&self, old: &str) -> Option<&str> {
        let mut next = old;
        for _ in 0..=self.skipped.len() {
            match self.skipped.get(next) {
                Some(parent) => next = parent.as_deref()?,
                None => return self.ids.get(next).map(String::as_str),
            }
        }
        None
    }
}
