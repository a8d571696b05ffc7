//! The tree on a real disk: what it lists, and that it hears of what changes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use carrick_core::PrivateList;

use super::*;

struct Ground {
    _dir: tempfile::TempDir,
    root: PathBuf,
    tree: Tree,
}

impl Ground {
    fn new(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("ws");
        fs::create_dir(&root).unwrap();
        let ground = Self { _dir: dir, root, tree: Tree::default() };
        files.iter().for_each(|file| ground.write(file, ""));
        ground
    }

    fn write(&self, file: &str, contents: &str) {
        let path = self.root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    fn workspace(&self) -> Workspace {
        Workspace::new(vec![self.root.clone()], PrivateList::default())
    }

    fn list(&mut self, pattern: &str) -> Vec<String> {
        let workspace = self.workspace();
        self.tree.list(&workspace, Some(pattern)).unwrap()
    }

    /// Waits until the watcher's notes have come through.
    fn becomes(&mut self, expected: &[&str]) {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let listed = self.list("");
            if listed == expected {
                break assert!(self.tree.folders[0].watching().unwrap().is_on());
            }
            assert!(Instant::now() < deadline, "still {listed:?}, not {expected:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn lists_what_a_person_would_look_for() {
    let mut ground = Ground::new(&[
        "a.txt",
        "src/größe.rs",
        "src/日本.rs",
        ".github/ci.yml",
        ".git/config",
        ".jj/x",
        ".env",
        "deep/id_rsa",
        "target/debug/x.o",
        "node_modules/m/index.js",
        ".trash/old.md",
    ]);
    ground.write(".gitignore", "target/\nnode_modules/\n");
    let listed = [".github/ci.yml", ".gitignore", ".trash/old.md", "a.txt", "src/größe.rs", "src/日本.rs"];
    assert_eq!(ground.list(""), listed);
    assert_eq!(ground.list("*.rs"), listed[4..]);
    assert_eq!(ground.list("src/日*"), listed[5..]);
    fs::create_dir(ground.root.join(".obsidian")).unwrap();
    ground.becomes(&[".github/ci.yml", ".gitignore", "a.txt", "src/größe.rs", "src/日本.rs"]);
}

#[test]
fn links_are_listed_when_they_lead_to_a_public_file_inside() {
    let mut ground = Ground::new(&["a.txt", ".env", "dir/b.txt"]);
    fs::write(ground.root.join("../outside.txt"), "").unwrap();
    for (target, link) in [
        ("a.txt", "good"),
        (".env", "bad-private"),
        ("../outside.txt", "bad-outside"),
        ("nothing", "bad-dangling"),
        ("dir", "bad-folder"),
        ("bad-loop", "bad-loop"),
        ("..", "dir/up"),
    ] {
        symlink(target, ground.root.join(link)).unwrap();
    }
    assert_eq!(ground.list(""), ["a.txt", "dir/b.txt", "good"]);
}

#[test]
fn hears_of_files_and_folders_that_come_and_go() {
    let mut ground = Ground::new(&["a.txt", "sub/deep/b.txt"]);
    ground.becomes(&["a.txt", "sub/deep/b.txt"]);
    ground.write("new/er/c.txt", "");
    ground.becomes(&["a.txt", "new/er/c.txt", "sub/deep/b.txt"]);
    ground.write("new/er/d.txt", "");
    ground.becomes(&["a.txt", "new/er/c.txt", "new/er/d.txt", "sub/deep/b.txt"]);
    fs::rename(ground.root.join("a.txt"), ground.root.join("z.txt")).unwrap();
    fs::remove_file(ground.root.join("new/er/c.txt")).unwrap();
    ground.becomes(&["new/er/d.txt", "sub/deep/b.txt", "z.txt"]);
    fs::remove_dir_all(ground.root.join("new")).unwrap();
    ground.becomes(&["sub/deep/b.txt", "z.txt"]);
}

#[test]
fn hears_what_happens_in_a_renamed_folder() {
    let mut ground = Ground::new(&["sub/deep/b.txt", "other/x.txt"]);
    ground.becomes(&["other/x.txt", "sub/deep/b.txt"]);
    fs::rename(ground.root.join("sub"), ground.root.join("other/moved")).unwrap();
    ground.becomes(&["other/moved/deep/b.txt", "other/x.txt"]);
    ground.write("other/moved/deep/c.txt", "");
    ground.becomes(&["other/moved/deep/b.txt", "other/moved/deep/c.txt", "other/x.txt"]);
    // Gone and made again under the same name, between two questions.
    fs::remove_dir_all(ground.root.join("other/moved")).unwrap();
    ground.write("other/moved/deep/d.txt", "");
    ground.becomes(&["other/moved/deep/d.txt", "other/x.txt"]);
    ground.write("other/moved/deep/e.txt", "");
    ground.becomes(&["other/moved/deep/d.txt", "other/moved/deep/e.txt", "other/x.txt"]);
}

#[test]
fn hears_of_new_rules() {
    let mut ground = Ground::new(&["a.log", "sub/b.log", "sub/c.txt"]);
    ground.becomes(&["a.log", "sub/b.log", "sub/c.txt"]);
    ground.write("sub/.gitignore", "*.log\n");
    ground.becomes(&["a.log", "sub/.gitignore", "sub/c.txt"]);
    ground.write(".gitignore", "*.txt\n*.log\n");
    ground.becomes(&[".gitignore", "sub/.gitignore"]);
    ground.write(".gitignore", "sub/\n");
    ground.becomes(&[".gitignore", "a.log"]);
    fs::remove_file(ground.root.join(".gitignore")).unwrap();
    ground.becomes(&["a.log", "sub/.gitignore", "sub/c.txt"]);
}

#[test]
fn a_folder_that_vanishes_and_returns() {
    let mut ground = Ground::new(&["a.txt"]);
    ground.becomes(&["a.txt"]);
    fs::remove_dir_all(&ground.root).unwrap();
    ground.becomes(&[]);
    ground.write("b.txt", "");
    ground.becomes(&["b.txt"]);
    ground.write("c.txt", "");
    ground.becomes(&["b.txt", "c.txt"]);
}

#[test]
fn without_watches_every_question_reads_anew() {
    let mut ground = Ground::new(&["a.txt", "sub/b.txt"]);
    let workspace = ground.workspace();
    let mut limited = FolderTree::new(&ground.root, &workspace);
    limited.limit_watches(1);
    ground.tree = Tree { of: workspace.folders.clone(), folders: vec![limited] };
    assert_eq!(ground.list(""), ["a.txt", "sub/b.txt"]);
    assert!(!ground.tree.folders[0].watching().unwrap().is_on());
    ground.write("sub/c.txt", "");
    assert_eq!(ground.list(""), ["a.txt", "sub/b.txt", "sub/c.txt"]);
}

#[test]
fn own_writes_are_seen_at_once() {
    let mut ground = Ground::new(&["a.txt"]);
    ground.list("");
    ground.tree.folders[0].deafen();
    ground.write("x/y/b.txt", "");
    assert_eq!(ground.list(""), ["a.txt"]);
    ground.tree.touch(&ground.root.join("x/y/b.txt"));
    assert_eq!(ground.list(""), ["a.txt", "x/y/b.txt"]);
}

#[test]
fn folders_of_the_workspace_come_and_go() {
    let mut ground = Ground::new(&["a.txt"]);
    let (lib, other) = (ground.root.join("../lib"), ground.root.join("../other/lib"));
    for folder in [&lib, &other] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("b.txt"), "").unwrap();
    }
    let mut listed = |folders: Vec<PathBuf>| {
        let workspace = Workspace::new(folders, PrivateList::default());
        assert_eq!(ground.tree.count(&workspace), workspace.folders.len());
        ground.tree.list(&workspace, None).unwrap()
    };
    let root = ground.root.clone();
    assert_eq!(listed(vec![root.clone()]), ["a.txt"]);
    assert_eq!(listed(vec![root.clone(), lib.clone()]), ["a.txt", "lib/b.txt"]);
    assert_eq!(listed(vec![root, lib.clone(), other]), ["a.txt", "lib-2/b.txt", "lib/b.txt"]);
    assert_eq!(listed(vec![lib]), ["b.txt"]);
}

#[test]
fn the_watcher_ends_with_the_tree() {
    let mut ground = Ground::new(&["a.txt"]);
    ground.list("");
    let notes = ground.tree.folders[0].watching().unwrap().notes();
    ground.tree = Tree::default();
    let deadline = Instant::now() + Duration::from_secs(20);
    // The watcher's thread holds the notes: when they are gone, so is the thread's work.
    while notes.upgrade().is_some() {
        assert!(Instant::now() < deadline, "the watcher still runs");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// 2 000 files instead of the 100 000 of a large project: the counts grow alike, and making files is what takes the
/// time here (ten seconds for 20 000 on a slow disk). `index.rs` has the same at 100 000 without a disk.
#[test]
fn a_question_visits_what_it_returns() {
    let mut ground = Ground::new(&["d7/only.rs", "d8/x/only.rs"]);
    for directory in 0..100 {
        let path = ground.root.join(format!("d{directory}"));
        fs::create_dir_all(&path).unwrap();
        (0..20).for_each(|file| drop(fs::File::create(path.join(format!("f{file}.txt"))).unwrap()));
    }
    let workspace = ground.workspace();
    assert_eq!(ground.tree.count(&workspace), 2002);
    for (pattern, found) in [("*.rs", 2), ("d8/**", 21), ("d8/*", 20), ("d8/f1*.txt", 11), ("**/f9.txt", 100)]
    {
        let (paths, visited) = ground.tree.search(&workspace, Some(pattern)).unwrap();
        assert_eq!((paths.len(), visited), (found, found), "{pattern}");
    }
}
