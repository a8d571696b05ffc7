//! Which language server is for which files: one table, which the configuration may change and extend.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};

/// One language server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageServer {
    /// What it is called.
    pub name: String,
    /// Names of the files it is for, as globs.
    pub files: Vec<String>,
    /// Files or folders that mark the top of what it works on.
    pub roots: Vec<String>,
    /// The programs to try, with their arguments; the first that is installed is used.
    pub commands: Vec<Vec<String>>,
    /// The command that would install it.
    pub install: String,
    /// It can find names, as far as one knows before it runs.
    pub navigates: bool,
    /// It can format, as far as one knows before it runs.
    pub formats: bool,
}

/// A program that takes a file on its standard input and gives it back formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatter {
    /// What it is called.
    pub name: String,
    /// Names of the files it is for, as globs.
    pub files: Vec<String>,
    /// The program and its arguments; `{file}` stands for the file's path.
    pub command: Vec<String>,
}

/// Everything that can be started for a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The language servers.
    pub servers: Vec<LanguageServer>,
    /// The formatters; they go before what a server can do.
    pub formatters: Vec<Formatter>,
    /// Where programs are looked for. Nothing inside a workspace: its own files must not decide what runs.
    pub path: Vec<PathBuf>,
}

struct Row {
    name: &'static str,
    files: &'static [&'static str],
    roots: &'static [&'static str],
    commands: &'static [&'static [&'static str]],
    install: &'static str,
    navigates: bool,
    formats: bool,
}

const ROWS: &[Row] = &[
    Row {
        name: "rust-analyzer",
        files: &["*.rs"],
        roots: &["Cargo.toml", "rust-project.json"],
        commands: &[&["rust-analyzer"]],
        install: "rustup component add rust-analyzer",
        navigates: true,
        formats: true,
    },
    Row {
        name: "pyright",
        files: &["*.py", "*.pyi"],
        roots: &["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "pyrightconfig.json"],
        commands: &[&["basedpyright-langserver", "--stdio"], &["pyright-langserver", "--stdio"]],
        install: "npm install --global pyright",
        navigates: true,
        formats: false,
    },
    Row {
        name: "ruff",
        files: &["*.py", "*.pyi"],
        roots: &["pyproject.toml", "ruff.toml", ".ruff.toml", "setup.py", "setup.cfg", "requirements.txt"],
        commands: &[&["ruff", "server"]],
        install: "pip install ruff",
        navigates: false,
        formats: true,
    },
    Row {
        name: "typescript-language-server",
        files: &["*.ts", "*.tsx", "*.mts", "*.cts", "*.js", "*.jsx", "*.mjs", "*.cjs"],
        roots: &["tsconfig.json", "jsconfig.json", "package.json"],
        commands: &[&["typescript-language-server", "--stdio"]],
        install: "npm install --global typescript-language-server typescript",
        navigates: true,
        formats: true,
    },
    Row {
        name: "gopls",
        files: &["*.go"],
        roots: &["go.work", "go.mod"],
        commands: &[&["gopls"]],
        install: "go install golang.org/x/tools/gopls@latest",
        navigates: true,
        formats: true,
    },
    Row {
        name: "clangd",
        files: &["*.c", "*.h", "*.cc", "*.cpp", "*.cxx", "*.hh", "*.hpp", "*.hxx", "*.m", "*.mm"],
        roots: &["compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "meson.build"],
        commands: &[&["clangd"]],
        install: "sudo apt-get install clangd",
        navigates: true,
        formats: true,
    },
    Row {
        name: "bash-language-server",
        files: &["*.sh", "*.bash"],
        roots: &[],
        commands: &[&["bash-language-server", "start"]],
        install: "npm install --global bash-language-server",
        navigates: true,
        formats: false,
    },
    Row {
        name: "marksman",
        files: &["*.md"],
        roots: &[".marksman.toml"],
        commands: &[&["marksman", "server"]],
        install: "brew install marksman",
        navigates: true,
        formats: false,
    },
    Row {
        name: "taplo",
        files: &["*.toml"],
        roots: &[".taplo.toml", "taplo.toml"],
        commands: &[&["taplo", "lsp", "stdio"]],
        install: "cargo install taplo-cli --locked --features lsp",
        navigates: false,
        formats: true,
    },
    Row {
        name: "lua-language-server",
        files: &["*.lua"],
        roots: &[".luarc.json", ".luarc.jsonc"],
        commands: &[&["lua-language-server"]],
        install: "brew install lua-language-server",
        navigates: true,
        formats: true,
    },
    Row {
        name: "zls",
        files: &["*.zig"],
        roots: &["build.zig"],
        commands: &[&["zls"]],
        install: "brew install zls",
        navigates: true,
        formats: true,
    },
];

impl From<&Row> for LanguageServer {
    fn from(row: &Row) -> Self {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
        Self {
            name: row.name.into(),
            files: owned(row.files),
            roots: owned(row.roots),
            commands: row.commands.iter().map(|command| owned(command)).collect(),
            install: row.install.into(),
            navigates: row.navigates,
            formats: row.formats,
        }
    }
}

impl Table {
    /// The table as it is without a configuration, for programs on this search path.
    #[must_use]
    pub fn built_in(path: Vec<PathBuf>) -> Self {
        Self { servers: ROWS.iter().map(LanguageServer::from).collect(), formatters: Vec::new(), path }
    }

    /// The program of a command, if it is installed.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let direct = Path::new(name);
        if direct.is_absolute() {
            return is_executable(direct).then(|| direct.into());
        }
        let folders = self.path.iter().filter(|folder| folder.is_absolute());
        folders.map(|folder| folder.join(name)).find(|file| is_executable(file))
    }

    /// The first command of a server whose program is installed: the program and its arguments.
    #[must_use]
    pub fn command(&self, server: &LanguageServer) -> Option<(PathBuf, Vec<String>)> {
        server.commands.iter().find_map(|command| {
            let (name, arguments) = command.split_first()?;
            Some((self.program(name)?, arguments.to_vec()))
        })
    }
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Names of files, compiled when somebody asks for the first time.
#[derive(Debug)]
pub(super) struct Patterns(GlobSet);

impl Patterns {
    pub(super) fn of(globs: &[String]) -> Self {
        let mut set = GlobSetBuilder::new();
        // What is no glob was refused where it was configured.
        for glob in globs.iter().filter_map(|glob| Glob::new(glob).ok()) {
            set.add(glob);
        }
        Self(set.build().unwrap_or_default())
    }

    pub(super) fn cover(&self, path: &Path) -> bool {
        path.file_name().is_some_and(|name| self.0.is_match(name))
    }
}

/// The outermost folder inside `folder` on the way to `file` that has one of the marks; `folder` when none has. The
/// outermost, because a workspace of many packages is one thing to its language server.
pub(super) fn root_of(file: &Path, folder: &Path, marks: &[String]) -> PathBuf {
    let inside = file.ancestors().skip(1).take_while(|part| part.starts_with(folder));
    let marked = inside.filter(|part| marks.iter().any(|mark| part.join(mark).exists()));
    marked.last().unwrap_or(folder).into()
}

/// A server's row with its patterns ready.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) server: LanguageServer,
    pub(super) patterns: Patterns,
}

impl Table {
    pub(super) fn entries(&self) -> Vec<Arc<Entry>> {
        let entry =
            |server: &LanguageServer| Entry { server: server.clone(), patterns: Patterns::of(&server.files) };
        self.servers.iter().map(entry).map(Arc::new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_whole_and_every_glob_is_one() {
        let table = Table::built_in(Vec::new());
        let mut names: Vec<_> = table.servers.iter().map(|server| server.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
        for server in &table.servers {
            assert!(!server.install.is_empty() && server.commands.iter().all(|command| !command.is_empty()));
            assert!(server.files.iter().all(|glob| Glob::new(glob).is_ok()), "{}", server.name);
        }
    }

    #[test]
    fn the_outermost_mark_inside_the_workspace_is_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().join("ws/a/b");
        std::fs::create_dir_all(&top).unwrap();
        for marked in ["Cargo.toml", "ws/a/Cargo.toml", "ws/a/b/Cargo.toml"] {
            std::fs::write(dir.path().join(marked), "").unwrap();
        }
        let marks = ["Cargo.toml".to_owned()];
        let ws = dir.path().join("ws");
        assert_eq!(root_of(&top.join("x.rs"), &ws, &marks), ws.join("a"));
        assert_eq!(root_of(&ws.join("x.rs"), &ws, &marks), ws);
    }

    #[test]
    fn a_program_is_an_executable_file_in_an_absolute_folder() {
        let table = Table::built_in(vec!["bin".into(), "/bin".into(), "/usr/bin".into()]);
        assert!(table.program("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(table.program("no-such-program-anywhere"), None);
        assert_eq!(table.program("/"), None);
    }
}
