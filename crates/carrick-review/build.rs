//! Embeds the built page into the binary. Without a build of it there is nothing to embed, and that is fine:
//! `cargo build` needs no Node.js, and the server then says how the page is built.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // This folder is always there; its contents come from the build of the page.
    let dist = here.join("../../page/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut rows = String::new();
    for file in files(&dist.join("site")) {
        let name = file.strip_prefix(dist.join("site")).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let path = file.canonicalize()?;
        writeln!(rows, "    ({name:?}, include_bytes!({path:?})),").map_err(std::io::Error::other)?;
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join("site.rs"), format!("&[\n{rows}]\n"))
}

/// Every file below a folder, in a fixed order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
