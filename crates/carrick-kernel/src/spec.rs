//! Kernelspecs: how a kernel is started, read from `kernel.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::KernelError;

/// Where a kernel's command has the path of its connection file.
pub(crate) const CONNECTION_FILE: &str = "{connection_file}";

/// How a kernel wants to be interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Interrupt {
    /// By SIGINT.
    #[default]
    Signal,
    /// By a message on the control channel.
    Message,
}

/// How to start a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    /// What it is, for people.
    pub(crate) what: String,
    pub(crate) argv: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) interrupt: Interrupt,
    /// The environment whose programs come first, as if it had been activated.
    pub(crate) environment: Option<PathBuf>,
}

/// Only what is needed of `kernel.json`.
#[derive(Deserialize)]
struct File {
    argv: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    interrupt_mode: Interrupt,
    #[serde(default)]
    display_name: String,
}

/// The file of a kernelspec below a data folder.
pub(crate) fn spec_file(data: &Path, name: &str) -> PathBuf {
    data.join("kernels").join(name).join("kernel.json")
}

/// The names of the kernelspecs below a data folder.
pub(crate) fn names(data: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(data.join("kernels")).into_iter().flatten().flatten();
    let specs = entries.filter(|entry| entry.path().join("kernel.json").is_file());
    specs.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

impl Launch {
    /// Reads a kernelspec. A plain `python` in it means the one of the installation it belongs to.
    pub(crate) fn read(path: &Path, environment: Option<&Path>) -> Result<Self, KernelError> {
        let broken = |why: String| KernelError::File { path: path.into(), why };
        let text = std::fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
        let file: File = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        let mut argv = file.argv;
        let prefix = environment.map(Path::to_path_buf).or_else(|| prefix_of(path));
        let program = argv.first_mut().ok_or_else(|| broken("its `argv` is empty".into()))?;
        if let Some(python) = prefix.filter(|_| is_python(program)).and_then(|prefix| python_in(&prefix)) {
            *program = python.to_string_lossy().into_owned();
        }
        Ok(Self {
            what: format!("the kernel \"{}\" ({})", file.display_name, path.display()),
            argv,
            env: file.env,
            interrupt: file.interrupt_mode,
            environment: environment.map(Into::into),
        })
    }

    /// ipykernel of this Python, which has no kernelspec.
    pub(crate) fn module(python: &Path, environment: Option<&Path>) -> Self {
        let python = python.to_string_lossy().into_owned();
        Self {
            what: format!("ipykernel of {python}"),
            argv: [&python, "-m", "ipykernel_launcher", "-f", CONNECTION_FILE].map(String::from).into(),
            env: BTreeMap::new(),
            interrupt: Interrupt::Signal,
            environment: environment.map(Into::into),
        }
    }
}

/// The Python of an installation or a virtual environment.
pub(crate) fn python_in(prefix: &Path) -> Option<PathBuf> {
    ["bin/python3", "bin/python"].map(|name| prefix.join(name)).into_iter().find(|path| path.is_file())
}

fn is_python(program: &str) -> bool {
    let version = program.strip_prefix("python");
    version.is_some_and(|version| version.chars().all(|char| char.is_ascii_digit() || char == '.'))
}

/// `<prefix>/share/jupyter/kernels/<name>/kernel.json`.
fn prefix_of(path: &Path) -> Option<PathBuf> {
    let data = path.ancestors().nth(3)?;
    data.ends_with("share/jupyter").then(|| data.ancestors().nth(2).map(Path::to_path_buf))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    #[test]
    fn a_plain_python_is_that_of_its_installation() {
        let folder = tempfile::tempdir().unwrap();
        let python = write(folder.path(), "bin/python3", "");
        let text = r#"{"argv": ["python", "-m", "x"], "display_name": "P", "language": "python"}"#;
        let spec = write(folder.path(), "share/jupyter/kernels/python3/kernel.json", text);
        let launch = Launch::read(&spec, None).unwrap();
        assert_eq!(launch.argv, [python.to_str().unwrap(), "-m", "x"]);
        assert_eq!(launch.interrupt, Interrupt::Signal);
        assert_eq!(names(&folder.path().join("share/jupyter")), ["python3"]);
    }

    #[test]
    fn other_programs_stay_and_the_way_to_interrupt_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"{"argv": ["/x/python3"], "interrupt_mode": "message", "env": {"A": "b"}}"#;
        let launch = Launch::read(&write(folder.path(), "kernel.json", text), None).unwrap();
        assert_eq!((launch.argv, launch.interrupt), (vec!["/x/python3".into()], Interrupt::Message));
        assert_eq!(launch.env["A"], "b");
    }

    #[test]
    fn a_broken_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{}", r#"{"argv": []}"#] {
            let error = Launch::read(&write(folder.path(), "kernel.json", text), None).unwrap_err();
            assert!(error.to_string().contains("kernel.json"), "{error}");
        }
    }
}
