//! Makes a table of the Neovim plug-in's files, so that the binary can write the plug-in that fits it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Where the plug-in is, and which parts of it a person needs.
const PLUGIN: &str = "../../plugins/nvim";
const PARTS: [&str; 6] = ["plugin", "lua", "doc", "ftplugin", "after", "syntax"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(PLUGIN);
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    for part in PARTS {
        collect(&root.join(part), &mut files)?;
    }
    files.sort();
    let mut table = String::from(
        "/// The Neovim plug-in: the name of each file and its contents.\nconst NVIM: &[(&str, &str)] = &[\n",
    );
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file);
        let _ = writeln!(table, "    ({:?}, include_str!({:?})),", name.display().to_string(), file);
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("plugin_nvim.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
