//! Ways out of the workspace, each of them shut.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;

struct Ground {
    _dir: tempfile::TempDir,
    inside: PathBuf,
    outside: PathBuf,
}

fn ground() -> Ground {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let (inside, outside) = (base.join("ws"), base.join("ws-not"));
    fs::create_dir_all(inside.join("sub")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(inside.join("sub/a.txt"), "a").unwrap();
    fs::write(inside.join(".env"), "KEY=1").unwrap();
    fs::write(outside.join("secret.txt"), "s").unwrap();
    Ground { _dir: dir, inside, outside }
}

impl Ground {
    fn workspace(&self) -> Workspace {
        Workspace::new(vec![self.inside.clone()], PrivateList::default())
    }

    fn refused(&self, path: impl AsRef<Path>) -> EditorError {
        self.workspace().for_agent(path.as_ref()).unwrap_err()
    }
}

#[test]
fn an_agent_opens_what_is_inside() {
    let ground = ground();
    let file = ground.inside.join("sub/a.txt");
    let place = ground.workspace().for_agent(&ground.inside.join("./sub//a.txt")).unwrap();
    assert_eq!((place.path, place.real), (file.clone(), file));
    let up = ground.workspace().for_agent(&ground.inside.join("sub/../sub/a.txt")).unwrap();
    assert_eq!(up.path, ground.inside.join("sub/a.txt"));
}

#[test]
fn a_folder_whose_name_begins_alike_is_outside() {
    let ground = ground();
    let file = ground.outside.join("secret.txt");
    assert_eq!(ground.refused(&file), EditorError::Outside(file));
    let absent = ground.outside.join("absent");
    assert_eq!(ground.refused(&absent), EditorError::Outside(absent), "what is not there is not told either");
    assert!(matches!(ground.refused(ground.inside.join("../ws-not/secret.txt")), EditorError::Outside(_)));
}

#[test]
fn links_that_lead_out_are_refused() {
    let ground = ground();
    symlink(ground.outside.join("secret.txt"), ground.inside.join("file")).unwrap();
    symlink(&ground.outside, ground.inside.join("dir")).unwrap();
    symlink(ground.outside.join("new"), ground.inside.join("dangling")).unwrap();
    symlink("../ws-not/new", ground.inside.join("relative")).unwrap();
    for name in ["file", "dir/secret.txt", "dir/absent", "dangling", "relative"] {
        let path = ground.inside.join(name);
        assert_eq!(ground.refused(&path), EditorError::Outside(path.clone()), "{name}");
        let error = ground.workspace().for_writing(Path::new(name)).unwrap_err();
        assert_eq!(error, EditorError::Outside(path), "{name}");
    }
    assert!(ground.workspace().for_writing(Path::new("dir/deep/new.txt")).is_err());
}

#[test]
fn a_loop_of_links_ends() {
    let ground = ground();
    symlink(ground.inside.join("b"), ground.inside.join("a")).unwrap();
    symlink(ground.inside.join("a"), ground.inside.join("b")).unwrap();
    assert!(matches!(ground.refused(ground.inside.join("a")), EditorError::Failed(_)));
    assert!(matches!(ground.workspace().for_writing(Path::new("a")), Err(EditorError::Failed(_))));
}

#[test]
fn a_link_inside_is_written_through() {
    let ground = ground();
    symlink("sub/a.txt", ground.inside.join("link")).unwrap();
    symlink("sub/new.txt", ground.inside.join("fresh")).unwrap();
    let real = |name: &str| ground.workspace().for_writing(Path::new(name)).unwrap().real;
    assert_eq!(real("link"), ground.inside.join("sub/a.txt"));
    assert_eq!(real("fresh"), ground.inside.join("sub/new.txt"));
    assert_eq!(real("x/y/z.txt"), ground.inside.join("x/y/z.txt"));
}

#[test]
fn private_by_name_and_by_link() {
    let ground = ground();
    symlink(".env", ground.inside.join("innocent.txt")).unwrap();
    symlink("sub/a.txt", ground.inside.join("server.pem")).unwrap();
    for name in [".env", "innocent.txt", "server.pem", "absent.pem"] {
        assert_eq!(ground.refused(ground.inside.join(name)), EditorError::Private, "{name}");
        assert_eq!(ground.workspace().for_writing(Path::new(name)), Err(EditorError::Private), "{name}");
    }
    let place = ground.workspace().for_person(&ground.inside.join("innocent.txt")).unwrap();
    assert!(place.private);
}

#[test]
fn a_private_target_does_not_say_so_from_outside() {
    let ground = ground();
    fs::write(ground.outside.join("x.pem"), "").unwrap();
    symlink(ground.outside.join("x.pem"), ground.inside.join("cert")).unwrap();
    assert!(matches!(ground.refused(ground.inside.join("cert")), EditorError::Outside(_)));
}

#[test]
fn what_is_no_path_is_named() {
    let ground = ground();
    let workspace = ground.workspace();
    for path in ["", "a\0b", "../ws-not/secret.txt", "sub/../../x", "~/x", "~root/x", "/~/x", "sub/.."] {
        let error = workspace.for_reading(Path::new(path)).unwrap_err();
        assert!(matches!(error, EditorError::Invalid(_)), "{path:?}: {error}");
    }
    for path in ["sub/a.txt", "a\0b"] {
        assert!(matches!(ground.refused(path), EditorError::Invalid(_)), "{path:?}");
    }
    assert!(matches!(
        workspace.for_reading(Path::new(&"x/".repeat(5000))),
        Err(EditorError::Invalid(_) | EditorError::Failed(_))
    ));
    assert_eq!(ground.refused(ground.inside.join("sub")), EditorError::IsFolder(ground.inside.join("sub")));
    let below_a_file = ground.inside.join("sub/a.txt/x");
    assert_eq!(ground.refused(&below_a_file), EditorError::NotFound(below_a_file));
    assert!(
        workspace
            .for_reading(Path::new("sub/a..b"))
            .is_err_and(|error| matches!(error, EditorError::NotFound(_)))
    );
}

#[test]
fn a_pipe_is_not_opened() {
    let ground = ground();
    let made = std::process::Command::new("mkfifo").arg(ground.inside.join("pipe")).status().unwrap();
    assert!(made.success());
    assert!(matches!(ground.refused(ground.inside.join("pipe")), EditorError::Invalid(_)));
}

#[test]
fn paths_from_the_root_of_a_vault() {
    let ground = ground();
    let workspace = ground.workspace();
    let file = ground.inside.join("sub/a.txt");
    assert_eq!(workspace.for_reading(Path::new("/sub/a.txt")).unwrap().path, file);
    assert_eq!(workspace.for_reading(&file).unwrap().path, file);
    assert!(matches!(workspace.for_writing(Path::new("/fresh.md")), Err(EditorError::Outside(_))));
    fs::create_dir(ground.inside.join(".obsidian")).unwrap();
    assert_eq!(workspace.for_writing(Path::new("/fresh.md")).unwrap().real, ground.inside.join("fresh.md"));
}

#[test]
fn further_folders_go_by_their_name() {
    let ground = ground();
    let workspace =
        Workspace::new(vec![ground.inside.clone(), ground.outside.clone()], PrivateList::default());
    let place = workspace.for_reading(Path::new("ws-not/secret.txt")).unwrap();
    assert_eq!(place.path, ground.outside.join("secret.txt"));
    fs::create_dir(ground.inside.join("ws-not")).unwrap();
    assert!(workspace.for_reading(Path::new("ws-not/secret.txt")).is_err(), "the first folder comes first");
}

#[test]
fn version_control_is_not_written() {
    let ground = ground();
    let workspace = ground.workspace();
    assert!(matches!(
        workspace.for_writing(Path::new(".git/hooks/post-commit")),
        Err(EditorError::Invalid(_))
    ));
    assert!(workspace.for_writing(Path::new(".github/x.yml")).is_ok());
    assert!(matches!(workspace.for_writing(Path::new("sub")), Err(EditorError::IsFolder(_))));
}

#[test]
fn a_workspace_that_is_itself_a_link() {
    let ground = ground();
    let link = ground.outside.join("way-in");
    symlink(&ground.inside, &link).unwrap();
    let workspace = Workspace::new(vec![link.clone()], PrivateList::default());
    assert_eq!(workspace.for_agent(&link.join("sub/a.txt")).unwrap().path, link.join("sub/a.txt"));
    assert!(workspace.for_agent(&ground.inside.join("sub/a.txt")).is_ok());
}
