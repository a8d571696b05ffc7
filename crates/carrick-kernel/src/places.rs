//! Where Jupyter keeps its things on this machine, as its own programs find them.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folders of Jupyter and the programs of the person.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Where running servers and kernels leave their files.
    pub runtime: PathBuf,
    /// Where kernelspecs are, the first ones first.
    pub data: Vec<PathBuf>,
    /// The virtual environments that are active.
    pub environments: Vec<PathBuf>,
    /// Where programs are.
    pub programs: Vec<PathBuf>,
}

/// The folders of every installation of Jupyter.
const SYSTEM: [&str; 2] = ["/usr/local/share/jupyter", "/usr/share/jupyter"];

impl Places {
    /// The places as the environment of this process says.
    #[must_use]
    pub fn of_this_process() -> Self {
        Self::from_environment(|name| std::env::var_os(name).filter(|value| !value.is_empty()))
    }

    /// The places as these variables say.
    #[must_use]
    pub fn from_environment(get: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = |name| get(name).map(PathBuf::from);
        let list = |name: &str| get(name).map(|value| std::env::split_paths(&value).collect::<Vec<_>>());
        let home = path("HOME").unwrap_or_default();
        let own = path("JUPYTER_DATA_DIR").unwrap_or_else(|| match cfg!(target_os = "macos") {
            true => home.join("Library/Jupyter"),
            false => path("XDG_DATA_HOME").unwrap_or_else(|| home.join(".local/share")).join("jupyter"),
        });
        let mut data = list("JUPYTER_PATH").unwrap_or_default();
        data.push(own.clone());
        data.extend(SYSTEM.map(PathBuf::from));
        Self {
            runtime: path("JUPYTER_RUNTIME_DIR").unwrap_or_else(|| own.join("runtime")),
            data,
            environments: [path("VIRTUAL_ENV"), path("CONDA_PREFIX")].into_iter().flatten().collect(),
            programs: list("PATH").unwrap_or_default(),
        }
    }

    /// A program of the person.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        self.programs.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_decide_and_defaults_follow_home() {
        let places = Places::from_environment(|name| (name == "HOME").then(|| "/home/me".into()));
        if cfg!(target_os = "linux") {
            assert_eq!(places.runtime, PathBuf::from("/home/me/.local/share/jupyter/runtime"));
        }
        let places = Places::from_environment(|name| match name {
            "JUPYTER_RUNTIME_DIR" => Some("/r".into()),
            "JUPYTER_PATH" => Some("/a:/b".into()),
            "JUPYTER_DATA_DIR" => Some("/d".into()),
            "VIRTUAL_ENV" => Some("/v".into()),
            _ => None,
        });
        assert_eq!(places.runtime, PathBuf::from("/r"));
        assert_eq!(places.data[..3], ["/a", "/b", "/d"].map(PathBuf::from));
        assert_eq!(places.environments, [PathBuf::from("/v")]);
    }
}
