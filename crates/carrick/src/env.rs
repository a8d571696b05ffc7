//! Every environment variable that carrick reads or sets, declared once.

use std::ffi::OsString;
use std::path::PathBuf;

/// Where sockets live.
pub(crate) const XDG_RUNTIME_DIR: &str = "XDG_RUNTIME_DIR";
/// Where port, token and left-behind reviews are kept.
pub(crate) const XDG_STATE_HOME: &str = "XDG_STATE_HOME";
/// Where the person's own configuration is.
pub(crate) const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// The fallback of the three above.
pub(crate) const HOME: &str = "HOME";
/// The fallback of the runtime folder, and where `review edit` puts its file.
pub(crate) const TMPDIR: &str = "TMPDIR";
/// Where the CLI looks for lock files, when it is not `~/.claude`.
pub(crate) const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Where programs are looked for.
pub(crate) const PATH: &str = "PATH";
/// The editor of `review edit` …
pub(crate) const VISUAL: &str = "VISUAL";
/// … and the one when that is not set.
pub(crate) const EDITOR: &str = "EDITOR";
/// What opens the review page.
pub(crate) const BROWSER: &str = "BROWSER";
/// Set to anything: no colours.
pub(crate) const NO_COLOR: &str = "NO_COLOR";
/// `dumb`: no colours.
pub(crate) const TERM: &str = "TERM";
/// Set inside Windows: paths of Windows are understood.
pub(crate) const WSL_DISTRO_NAME: &str = "WSL_DISTRO_NAME";

/// The configuration key `name`.
pub(crate) const CARRICK_NAME: &str = "CARRICK_NAME";
/// The configuration key `dialect`.
pub(crate) const CARRICK_DIALECT: &str = "CARRICK_DIALECT";
/// The configuration key `execute_code`.
pub(crate) const CARRICK_EXECUTE_CODE: &str = "CARRICK_EXECUTE_CODE";
/// The configuration key `kernel`.
pub(crate) const CARRICK_KERNEL: &str = "CARRICK_KERNEL";
/// The configuration key `port`.
pub(crate) const CARRICK_PORT: &str = "CARRICK_PORT";
/// The configuration key `review`.
pub(crate) const CARRICK_REVIEW: &str = "CARRICK_REVIEW";
/// The configuration key `log_filter`.
pub(crate) const CARRICK_LOG_FILTER: &str = "CARRICK_LOG_FILTER";

/// Debug builds only: `serve` panics when it is ready, so that a test can see what is left behind.
#[cfg(debug_assertions)]
pub(crate) const CARRICK_TEST_PANIC: &str = "CARRICK_TEST_PANIC";

/// Set for the child of `run`: the port of the door.
pub(crate) const CLAUDE_CODE_SSE_PORT: &str = "CLAUDE_CODE_SSE_PORT";
/// Set for the child of `run`: look for an IDE at all.
pub(crate) const ENABLE_IDE_INTEGRATION: &str = "ENABLE_IDE_INTEGRATION";
/// Added to for the child of `run`: loopback needs no proxy. Programs read one or the other.
pub(crate) const NO_PROXY: [&str; 2] = ["no_proxy", "NO_PROXY"];

/// The value of a variable; an empty one counts as not set.
pub(crate) fn get(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The home folder.
pub(crate) fn home() -> Option<PathBuf> {
    get(HOME).map(PathBuf::from)
}

/// A folder of the XDG kind: the variable if it is absolute, else the place under the home folder.
pub(crate) fn xdg(variable: &str, under_home: &str) -> Option<PathBuf> {
    let given = get(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    given.or_else(|| home().map(|home| home.join(under_home)))
}

/// Where programs are looked for.
pub(crate) fn path() -> Vec<PathBuf> {
    get(PATH).map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}
