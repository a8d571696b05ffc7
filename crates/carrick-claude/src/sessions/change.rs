//! Titles, tags and the end of a session. Changes are appended, as the CLI itself does.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::{Sessions, at};
use crate::error::{Error, Result};

impl Sessions {
    /// Gives a session a title.
    pub fn rename(&self, id: &str, title: &str) -> Result<()> {
        let title = title.trim();
        if title.is_empty() {
            return Err(Error::Option("a title cannot be empty".into()));
        }
        append(&self.file(id)?, &json!({"type": "custom-title", "customTitle": title, "sessionId": id}))
    }

    /// Gives a session a tag, or takes it away.
    pub fn tag(&self, id: &str, tag: Option<&str>) -> Result<()> {
        let tag = tag.map_or("", str::trim);
        append(&self.file(id)?, &json!({"type": "tag", "tag": tag, "sessionId": id}))
    }

    /// Deletes a session and what its subagents said. There is no way back.
    pub fn delete(&self, id: &str) -> Result<()> {
        let path = self.file(id)?;
        std::fs::remove_file(&path).map_err(at(&path))?;
        let beside = path.with_extension("");
        match std::fs::remove_dir_all(&beside) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(at(&beside)(error)),
            _ => Ok(()),
        }
    }
}

/// One write, so that a CLI that appends at the same time cannot get in between; never makes a new file.
fn append(path: &Path, line: &Value) -> Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(at(path))?;
    let mut text = format!("{line}\n");
    if !ends_with_newline(&mut file).map_err(at(path))? {
        text.insert(0, '\n');
    }
    file.write_all(text.as_bytes()).map_err(at(path))
}

fn ends_with_newline(file: &mut std::fs::File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
