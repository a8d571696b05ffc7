//! Which sessions there are, from the two ends of each file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use serde::Deserialize;

use super::entry::each_line;
use super::{Sessions, at};
use crate::error::{Error, Result};
use crate::frame::{Block, Content, Message};
use crate::uuid::is_uuid;

/// Read from each end.
const END: u64 = 64 * 1024;

/// Lines in which a first prompt is looked for when the ends have none.
const FAR: usize = 64;

/// A first prompt is cut here.
const SUMMARY: usize = 200;

/// A session on disk.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Its id.
    pub id: String,
    /// Its title, else what was said last, else what was said first.
    pub summary: String,
    /// The title somebody gave it, else the one the CLI made up.
    pub title: Option<String>,
    /// What was said first.
    pub first_prompt: Option<String>,
    /// Its tag.
    pub tag: Option<String>,
    /// The folder it was started in.
    pub cwd: Option<String>,
    /// The branch it was on last.
    pub git_branch: Option<String>,
    /// When it began, as the file says it.
    pub created: Option<String>,
    /// When something was last written.
    pub modified: SystemTime,
    /// How large the file is.
    pub bytes: u64,
}

impl Sessions {
    /// The sessions of a project's folder, or all of them; newest first. Subagents' own files are left out.
    pub fn list(&self, project: Option<&Path>) -> Result<Vec<SessionInfo>> {
        let folders = match project {
            Some(project) => vec![self.folder_of(project)],
            None => children(&self.projects)?,
        };
        let mut found = Vec::new();
        for folder in folders {
            for path in children(&folder)? {
                if let Some(info) = info(&path)? {
                    found.push(info);
                }
            }
        }
        found.sort_by_key(|info| std::cmp::Reverse(info.modified));
        Ok(found)
    }

    /// One session; none when nothing was ever said in it.
    pub fn info(&self, id: &str) -> Result<Option<SessionInfo>> {
        info(&self.file(id)?)
    }
}

fn children(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(Error::File { path: folder.to_owned(), source }),
    }
}

fn info(path: &Path) -> Result<Option<SessionInfo>> {
    let is_session = path.extension().is_some_and(|extension| extension == "jsonl");
    let Some(id) = path.file_stem().and_then(|stem| stem.to_str()).filter(|id| is_session && is_uuid(id))
    else {
        return Ok(None);
    };
    let (head, tail) = ends(path)?;
    let metadata = path.metadata().map_err(at(path))?;
    if head.first().is_some_and(|line| line.is_sidechain) {
        return Ok(None);
    }
    let last = |pick: fn(&Line) -> Option<&String>| tail.iter().chain(&head).find_map(pick).cloned();
    let first = |pick: fn(&Line) -> Option<&String>| head.iter().find_map(pick).cloned();
    let title = last(|line| line.custom_title.as_ref()).or_else(|| last(|line| line.ai_title.as_ref()));
    let first_prompt = head.iter().find_map(Line::prompt);
    let said = last(|line| line.last_prompt.as_ref()).or_else(|| last(|line| line.summary.as_ref()));
    let first_prompt = match (&first_prompt, &title, &said) {
        (None, None, None) => far_prompt(path)?,
        _ => first_prompt,
    };
    let Some(summary) = title.clone().or(said).or_else(|| first_prompt.clone()) else { return Ok(None) };
    Ok(Some(SessionInfo {
        id: id.to_owned(),
        summary,
        title,
        first_prompt,
        // An empty tag is a tag taken away.
        tag: last(|line| line.tag.as_ref().filter(|_| line.kind == "tag")).filter(|tag| !tag.is_empty()),
        cwd: first(|line| line.cwd.as_ref()),
        git_branch: last(|line| line.git_branch.as_ref()),
        created: first(|line| line.timestamp.as_ref()),
        modified: metadata.modified().map_err(at(path))?,
        bytes: metadata.len(),
    }))
}

/// The first prompt when it is longer than an end, or stands behind something that is.
fn far_prompt(path: &Path) -> Result<Option<String>> {
    let (mut found, mut left) = (None, FAR);
    each_line(path, |line| {
        left -= 1;
        found = serde_json::from_slice(line).ok().and_then(|line: Line| line.prompt());
        Ok(found.is_none() && left > 0)
    })?;
    Ok(found)
}

/// The first lines in their order and the last ones backwards; a line in the middle of which the reading ends is
/// left out.
fn ends(path: &Path) -> Result<(Vec<Line>, Vec<Line>)> {
    let mut file = File::open(path).map_err(at(path))?;
    let length = file.metadata().map_err(at(path))?.len();
    let head = parse(&read(&mut file, path)?).collect::<Vec<_>>();
    let from = length.saturating_sub(END);
    file.seek(SeekFrom::Start(from)).map_err(at(path))?;
    let mut tail: Vec<Line> = parse(&read(&mut file, path)?).collect();
    tail.reverse();
    Ok((head, tail))
}

fn read(file: &mut File, path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(END).read_to_end(&mut bytes).map_err(at(path))?;
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> impl Iterator<Item = Line> {
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    custom_title: Option<String>,
    ai_title: Option<String>,
    last_prompt: Option<String>,
    summary: Option<String>,
    tag: Option<String>,
    cwd: Option<String>,
    git_branch: Option<String>,
    timestamp: Option<String>,
    is_sidechain: bool,
    is_meta: bool,
    is_compact_summary: bool,
    message: Option<Message>,
}

impl Line {
    /// What a person said in this line, if a person said something.
    fn prompt(&self) -> Option<String> {
        if self.kind != "user" || self.is_meta || self.is_compact_summary {
            return None;
        }
        let content = self.message.as_ref()?.content.as_ref()?;
        let is_result = content.blocks().iter().any(|block| matches!(block, Block::ToolResult(_)));
        let text = Content::text(content).replace('\n', " ");
        let text = text.trim();
        // What the CLI puts in a person's mouth stands in angle brackets.
        if is_result || text.is_empty() || text.starts_with('<') {
            return None;
        }
        Some(text.chars().take(SUMMARY).collect())
    }
}
