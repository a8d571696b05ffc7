//! What the CLI wrote to stderr last: often the only explanation of an early end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::process::ChildStderr;
use tokio::task::JoinHandle;

use crate::lines::Lines;
use crate::options::Hearer;

/// Kept; the oldest line goes when another one comes.
const KEPT: usize = 20;

/// A longer line is cut here, so that a mad CLI cannot fill the memory.
const LONGEST: usize = 4096;

/// A line without an end stops the listening; nobody writes this much to stderr in one line.
const LIMIT: usize = 1024 * 1024;

/// The last lines of stderr.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastWords {
    lines: Arc<Mutex<VecDeque<String>>>,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl LastWords {
    pub(crate) fn listen(stderr: ChildStderr, hear: Option<Hearer>) -> Self {
        let words = Self::default();
        let lines = words.lines.clone();
        let task = tokio::spawn(async move {
            let mut from = Lines::with_limit(stderr, LIMIT);
            while let Ok(Some(line)) = from.next().await {
                let line = String::from_utf8_lossy(line);
                let line = line.trim_end();
                if !line.is_empty() {
                    if let Some(hear) = &hear {
                        hear(line);
                    }
                    keep(&lines, line);
                }
            }
        });
        *words.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        words
    }

    /// A line of stdout that was no frame belongs here, too.
    pub(crate) fn add(&self, line: &str) {
        keep(&self.lines, line);
    }

    /// Waits until stderr is closed, at most `limit`, and returns what was said.
    pub(crate) async fn all(&self, limit: std::time::Duration) -> Vec<String> {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            let _ = tokio::time::timeout(limit, task).await;
        }
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

fn keep(lines: &Mutex<VecDeque<String>>, line: &str) {
    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.len() == KEPT {
        lines.pop_front();
    }
    lines.push_back(line.chars().take(LONGEST).collect());
}
