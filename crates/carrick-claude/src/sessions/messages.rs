//! A conversation in its order: the file is a tree (rewinds leave branches), the newest leaf is what counts.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::entry::{Link, each_line};
use super::{Sessions, StoredMessage, at};
use crate::error::{Error, Result};

impl Sessions {
    /// The messages of a session, oldest first, read as they are asked for.
    pub fn messages(&self, id: &str) -> Result<Messages> {
        Messages::open(self.file(id)?)
    }
}

/// Messages read one by one.
#[derive(Debug)]
pub struct Messages {
    path: PathBuf,
    from: BufReader<File>,
    wanted: HashSet<String>,
    line: Vec<u8>,
}

impl Messages {
    fn open(path: PathBuf) -> Result<Self> {
        let wanted = Tree::read(&path)?.conversation();
        let from = BufReader::new(File::open(&path).map_err(at(&path))?);
        Ok(Self { path, from, wanted, line: Vec::new() })
    }

    fn next_line(&mut self) -> Result<bool> {
        self.line.clear();
        let error = |source| Error::File { path: self.path.clone(), source };
        Ok(self.from.read_until(b'\n', &mut self.line).map_err(error)? > 0)
    }

    fn is_wanted(&self) -> bool {
        let link: Link = serde_json::from_slice(&self.line).unwrap_or_default();
        let shown = link.is_message() && !link.is_meta && !link.is_sidechain;
        shown && link.uuid.is_some_and(|uuid| self.wanted.contains(&uuid))
    }
}

impl Iterator for Messages {
    type Item = Result<StoredMessage>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_line() {
                Ok(true) if self.is_wanted() => {
                    return Some(serde_json::from_slice(&self.line).map_err(Error::from));
                }
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Who follows whom. About a hundred bytes for each line, whatever the line holds.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_uuid: HashMap<String, usize>,
}

#[derive(Debug)]
struct Node {
    uuid: String,
    parent: Option<String>,
    api_id: Option<String>,
    is_message: bool,
    is_result: bool,
    is_main: bool,
}

impl Tree {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut tree = Self::default();
        each_line(path, |line| {
            // A line that was cut short by a crash is not part of any conversation.
            if let Ok(link) = serde_json::from_slice::<Link>(line) {
                tree.add(link);
            }
            Ok(true)
        })?;
        Ok(tree)
    }

    fn add(&mut self, link: Link) {
        let (is_message, is_result) = (link.is_message(), link.tool_use_result.is_some());
        let is_main = !link.is_sidechain && !link.is_meta && link.team_name.is_none();
        let Some(uuid) = link.uuid else { return };
        let api_id = link.message.and_then(|message| message.id);
        self.by_uuid.insert(uuid.clone(), self.nodes.len());
        self.nodes.push(Node { uuid, parent: link.parent_uuid, api_id, is_message, is_result, is_main });
    }

    fn get(&self, uuid: &str) -> Option<&Node> {
        self.nodes.get(*self.by_uuid.get(uuid)?)
    }

    /// The newest leaf and everything it follows, and what ran beside it.
    pub(super) fn conversation(&self) -> HashSet<String> {
        let mut chain = HashSet::new();
        let mut next = self.leaf();
        while let Some(node) = next {
            // A ring would be walked for ever.
            if !chain.insert(node.uuid.clone()) {
                break;
            }
            next = node.parent.as_deref().and_then(|parent| self.get(parent));
        }
        self.add_siblings(&mut chain);
        chain
    }

    fn leaf(&self) -> Option<&Node> {
        let parents: HashSet<&str> = self.nodes.iter().filter_map(|node| node.parent.as_deref()).collect();
        let ends = self.nodes.iter().filter(|node| !parents.contains(node.uuid.as_str()));
        let leaves: Vec<&Node> = ends.filter_map(|end| self.nearest_message(end)).collect();
        let position = |node: &&&Node| self.by_uuid.get(&node.uuid).copied();
        let main = leaves.iter().filter(|node| node.is_main).max_by_key(position);
        main.or_else(|| leaves.iter().max_by_key(position)).copied()
    }

    fn nearest_message<'a>(&'a self, end: &'a Node) -> Option<&'a Node> {
        let mut next = Some(end);
        for _ in 0..=self.nodes.len() {
            match next {
                Some(node) if node.is_message => return Some(node),
                Some(node) => next = node.parent.as_deref().and_then(|parent| self.get(parent)),
                None => return None,
            }
        }
        None
    }

    /// Tools that ran in parallel hang beside the chain: blocks of the same answer, and the results after them.
    fn add_siblings(&self, chain: &mut HashSet<String>) {
        let answers: HashSet<&str> =
            chain.iter().filter_map(|uuid| self.get(uuid)?.api_id.as_deref()).collect();
        let mut beside: HashSet<String> = HashSet::new();
        for node in self.nodes.iter().filter(|node| node.is_main && !chain.contains(&node.uuid)) {
            let same_answer = node.api_id.as_deref().is_some_and(|id| answers.contains(id));
            let kept = |uuid: &String| chain.contains(uuid) || beside.contains(uuid);
            if same_answer || (node.is_result && node.parent.as_ref().is_some_and(kept)) {
                beside.insert(node.uuid.clone());
            }
        }
        chain.extend(beside);
    }
}
