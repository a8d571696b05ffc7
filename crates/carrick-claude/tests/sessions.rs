//! Session files no CLI wrote in this test: branches, rings, cut lines, and histories too large to hold.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::io::Write;
use std::path::PathBuf;

use carrick_claude::sessions::Sessions;
use serde_json::{Value, json};

const ID: &str = "11111111-2222-4333-8444-555555555555";

struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    fn new(lines: &[Value]) -> Self {
        let disk = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(disk.file().parent().unwrap()).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(disk.file(), text).unwrap();
        disk
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("projects/-home-me").join(format!("{ID}.jsonl"))
    }

    fn sessions(&self) -> Sessions {
        Sessions::at(self.folder.path())
    }

    fn texts(&self) -> Vec<String> {
        let messages = self.sessions().messages(ID).unwrap().map(Result::unwrap);
        messages.map(|one| one.message.unwrap().content.unwrap().text()).collect()
    }
}

fn line(kind: &str, uuid: &str, parent: Option<&str>, text: &str) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": ID, "isSidechain": false,
        "timestamp": "2026-11-15T02:09:55.138Z", "message": {"role": kind, "content": text}})
}

#[test]
fn a_branch_that_was_left_is_not_shown() {
    let disk = Disk::new(&[
        line("user", "a", None, "one"),
        line("assistant", "b", Some("a"), "two"),
        line("user", "c", Some("b"), "taken back"),
        line("assistant", "d", Some("c"), "lost"),
        line("user", "e", Some("b"), "instead"),
        json!({"type": "system", "uuid": "f", "parentUuid": "e"}),
    ]);
    assert_eq!(disk.texts(), ["one", "two", "instead"]);
}

#[test]
fn rings_cut_lines_and_foreign_lines_do_no_harm() {
    let disk = Disk::new(&[line("user", "a", Some("b"), "one"), line("user", "b", Some("a"), "two")]);
    assert!(disk.texts().is_empty(), "a ring has no end to begin at");
    let disk = Disk::new(&[line("user", "a", None, "one"), json!([1, 2]), json!({"type": 5}), json!(null)]);
    let mut file = std::fs::OpenOptions::new().append(true).open(disk.file()).unwrap();
    file.write_all(b"{\"type\":\"user\",\"uuid\":\"z\",\"parentUuid\":\"a\",\"mess").unwrap();
    assert_eq!(disk.texts(), ["one"]);
    disk.sessions().rename(ID, "After a crash").unwrap();
    assert_eq!(disk.sessions().list(None).unwrap()[0].summary, "After a crash");
}

#[test]
fn a_fork_links_over_lines_it_leaves_out() {
    let disk = Disk::new(&[
        line("user", "a", None, "one"),
        json!({"type": "progress", "uuid": "p", "parentUuid": "a"}),
        line("assistant", "b", Some("p"), "two"),
    ]);
    let fork = disk.sessions().fork(ID, None, None).unwrap();
    let messages: Vec<_> = disk.sessions().messages(&fork).unwrap().map(Result::unwrap).collect();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[1].parent_uuid, messages[0].uuid);
    assert_eq!(messages[1].session_id.as_deref(), Some(fork.as_str()));
    assert!(disk.sessions().fork(ID, Some("nowhere"), None).unwrap_err().to_string().contains("nowhere"));
    let left: Vec<_> = std::fs::read_dir(disk.file().parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 2, "nothing unfinished is left");
}

#[test]
fn a_large_history_is_read_piece_by_piece() {
    let text = "x".repeat(100_000);
    let disk = Disk::new(&[]);
    let mut file = std::fs::File::create(disk.file()).unwrap();
    for n in 0..600 {
        let parent = (n > 0).then(|| format!("m{}", n - 1));
        writeln!(file, "{}", line("user", &format!("m{n}"), parent.as_deref(), &text)).unwrap();
    }
    let before = peak();
    assert_eq!(disk.sessions().messages(ID).unwrap().count(), 600);
    let listed = disk.sessions().list(None).unwrap();
    assert!(listed[0].summary.starts_with("xxx"), "found although no whole line fits into the ends");
    disk.sessions().fork(ID, None, Some("Copy")).unwrap();
    let grown = peak().saturating_sub(before);
    assert!(grown < 20_000, "60 MB of history cost {grown} KiB");
}

/// The most memory this process ever had, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
