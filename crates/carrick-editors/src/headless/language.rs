//! The language of a file by its name, in the identifiers that VS Code made common: agents know no others.

use std::path::Path;

/// What has no language of its own.
const PLAIN: &str = "plaintext";

/// Names that say more than their extension does, in lower case.
const BY_NAME: &[(&str, &str)] = &[
    (".babelrc", "jsonc"),
    (".bash_aliases", "shellscript"),
    (".bash_profile", "shellscript"),
    (".bashrc", "shellscript"),
    (".clang-format", "yaml"),
    (".dockerignore", "ignore"),
    (".editorconfig", "properties"),
    (".eslintrc", "jsonc"),
    (".gitattributes", "properties"),
    (".gitconfig", "properties"),
    (".gitignore", "ignore"),
    (".gitmodules", "properties"),
    (".ignore", "ignore"),
    (".npmignore", "ignore"),
    (".prettierrc", "json"),
    (".profile", "shellscript"),
    (".vimrc", "viml"),
    (".zprofile", "shellscript"),
    (".zshenv", "shellscript"),
    (".zshrc", "shellscript"),
    ("build", "starlark"),
    ("build.bazel", "starlark"),
    ("cargo.lock", "toml"),
    ("cmakelists.txt", "cmake"),
    ("commit_editmsg", "git-commit"),
    ("composer.lock", "json"),
    ("containerfile", "dockerfile"),
    ("dockerfile", "dockerfile"),
    ("gemfile", "ruby"),
    ("git-rebase-todo", "git-rebase"),
    ("gnumakefile", "makefile"),
    ("go.mod", "go.mod"),
    ("go.sum", "go.sum"),
    ("jenkinsfile", "groovy"),
    ("jsconfig.json", "jsonc"),
    ("justfile", "just"),
    ("makefile", "makefile"),
    ("meson.build", "meson"),
    ("pipfile", "toml"),
    ("pipfile.lock", "json"),
    ("pkgbuild", "shellscript"),
    ("podfile", "ruby"),
    ("poetry.lock", "toml"),
    ("rakefile", "ruby"),
    ("tsconfig.json", "jsonc"),
    ("uv.lock", "toml"),
    ("vagrantfile", "ruby"),
    ("workspace", "starlark"),
];

/// What an extension says, in lower case.
const BY_EXTENSION: &[(&str, &str)] = &[
    ("adoc", "asciidoc"),
    ("astro", "astro"),
    ("bash", "shellscript"),
    ("bat", "bat"),
    ("bib", "bibtex"),
    ("bzl", "starlark"),
    ("c", "c"),
    ("c++", "cpp"),
    ("cc", "cpp"),
    ("cfg", "ini"),
    ("cjs", "javascript"),
    ("clj", "clojure"),
    ("cljc", "clojure"),
    ("cljs", "clojure"),
    ("cmake", "cmake"),
    ("cmd", "bat"),
    ("code-workspace", "jsonc"),
    ("coffee", "coffeescript"),
    ("conf", "properties"),
    ("cpp", "cpp"),
    ("cs", "csharp"),
    ("csh", "shellscript"),
    ("css", "css"),
    ("csv", "csv"),
    ("csx", "csharp"),
    ("cts", "typescript"),
    ("cu", "cuda-cpp"),
    ("cxx", "cpp"),
    ("d", "d"),
    ("dart", "dart"),
    ("diff", "diff"),
    ("el", "emacs-lisp"),
    ("elm", "elm"),
    ("erl", "erlang"),
    ("ex", "elixir"),
    ("exs", "elixir"),
    ("f90", "FortranFreeForm"),
    ("fish", "fish"),
    ("fs", "fsharp"),
    ("fsi", "fsharp"),
    ("fsx", "fsharp"),
    ("gemspec", "ruby"),
    ("gleam", "gleam"),
    ("glsl", "glsl"),
    ("go", "go"),
    ("gql", "graphql"),
    ("gradle", "groovy"),
    ("graphql", "graphql"),
    ("groovy", "groovy"),
    ("h", "c"),
    ("h++", "cpp"),
    ("hbs", "handlebars"),
    ("hcl", "hcl"),
    ("hh", "cpp"),
    ("hlsl", "hlsl"),
    ("hpp", "cpp"),
    ("hrl", "erlang"),
    ("hs", "haskell"),
    ("htm", "html"),
    ("html", "html"),
    ("hxx", "cpp"),
    ("ini", "ini"),
    ("ipynb", "jupyter"),
    ("java", "java"),
    ("jl", "julia"),
    ("js", "javascript"),
    ("json", "json"),
    ("json5", "json5"),
    ("jsonc", "jsonc"),
    ("jsonl", "jsonl"),
    ("jsx", "javascriptreact"),
    ("kt", "kotlin"),
    ("kts", "kotlin"),
    ("ksh", "shellscript"),
    ("less", "less"),
    ("lhs", "haskell"),
    ("log", "log"),
    ("lua", "lua"),
    ("m", "objective-c"),
    ("markdown", "markdown"),
    ("md", "markdown"),
    ("mdx", "mdx"),
    ("mjs", "javascript"),
    ("mk", "makefile"),
    ("ml", "ocaml"),
    ("mli", "ocaml.interface"),
    ("mm", "objective-cpp"),
    ("mts", "typescript"),
    ("nim", "nim"),
    ("nix", "nix"),
    ("nu", "nushell"),
    ("patch", "diff"),
    ("php", "php"),
    ("pl", "perl"),
    ("pm", "perl"),
    ("properties", "properties"),
    ("proto", "proto3"),
    ("ps1", "powershell"),
    ("psm1", "powershell"),
    ("pug", "jade"),
    ("purs", "purescript"),
    ("py", "python"),
    ("pyi", "python"),
    ("pyw", "python"),
    ("r", "r"),
    ("rb", "ruby"),
    ("re", "reason"),
    ("rs", "rust"),
    ("rst", "restructuredtext"),
    ("sass", "sass"),
    ("sc", "scala"),
    ("scala", "scala"),
    ("scss", "scss"),
    ("sh", "shellscript"),
    ("sol", "solidity"),
    ("sql", "sql"),
    ("styl", "stylus"),
    ("sv", "systemverilog"),
    ("svelte", "svelte"),
    ("svg", "xml"),
    ("swift", "swift"),
    ("tcl", "tcl"),
    ("tex", "latex"),
    ("tf", "terraform"),
    ("tfvars", "terraform-vars"),
    ("toml", "toml"),
    ("ts", "typescript"),
    ("tsx", "typescriptreact"),
    ("typ", "typst"),
    ("v", "verilog"),
    ("vb", "vb"),
    ("vhd", "vhdl"),
    ("vim", "viml"),
    ("vue", "vue"),
    ("wgsl", "wgsl"),
    ("xhtml", "html"),
    ("xml", "xml"),
    ("xsd", "xml"),
    ("xsl", "xsl"),
    ("yaml", "yaml"),
    ("yml", "yaml"),
    ("zig", "zig"),
    ("zsh", "shellscript"),
];

/// The language of the file at `path`; nothing is read.
pub(super) fn language(path: &Path) -> &'static str {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return PLAIN };
    let name = name.to_ascii_lowercase();
    find(BY_NAME, &name)
        // `Dockerfile.prod` and `makefile.am` are still what they begin with.
        .or_else(|| name.split_once('.').and_then(|(head, _)| of_head(head)))
        .or_else(|| name.rsplit_once('.').and_then(|(_, extension)| find(BY_EXTENSION, extension)))
        .unwrap_or(PLAIN)
}

fn of_head(head: &str) -> Option<&'static str> {
    let keeps_its_language = matches!(head, "dockerfile" | "containerfile" | "makefile" | "jenkinsfile");
    keeps_its_language.then(|| find(BY_NAME, head)).flatten()
}

fn find(table: &[(&str, &'static str)], key: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == key).map(|(_, language)| *language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions() {
        for (path, expected) in [
            ("/p/main.rs", "rust"),
            ("/p/App.TSX", "typescriptreact"),
            ("/p/a.d.ts", "typescript"),
            ("/p/Makefile", "makefile"),
            ("/p/Dockerfile.prod", "dockerfile"),
            ("/p/Cargo.lock", "toml"),
            ("/p/tsconfig.json", "jsonc"),
            ("/p/package.json", "json"),
            ("/p/run.sh", "shellscript"),
            ("/p/.bashrc", "shellscript"),
            ("/p/notes.md", "markdown"),
            ("/p/größe.py", "python"),
            ("/p/LICENSE", "plaintext"),
            ("/p/x.unknown", "plaintext"),
            ("/", "plaintext"),
        ] {
            assert_eq!(language(Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn no_key_stands_twice() {
        for table in [BY_NAME, BY_EXTENSION] {
            let mut keys: Vec<_> = table.iter().map(|(key, _)| *key).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), table.len());
            assert!(keys.iter().all(|key| *key == key.to_ascii_lowercase()));
        }
    }
}
