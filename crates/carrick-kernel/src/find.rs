//! Which kernel a workspace would start: that of its own virtual environment before any other.
//!
//! Only files are looked at, no program is asked: this also decides whether running code is offered at all, and
//! must cost nothing.

use std::path::{Path, PathBuf};

use crate::spec::{Launch, names, python_in, spec_file};
use crate::{KernelError, Places};

/// The kernelspec that ipykernel installs.
const PYTHON: &str = "python3";

/// The names that virtual environments have in a workspace.
const ENVIRONMENTS: [&str; 2] = [".venv", "venv"];

/// The kernel for these folders when nobody has said which.
pub(crate) fn python(places: &Places, folders: &[PathBuf]) -> Result<Launch, KernelError> {
    let in_environments = environments(places, folders).into_iter().find_map(|place| of_environment(&place));
    let installed = || places.data.iter().find_map(|data| read(&spec_file(data, PYTHON), None));
    let on_path = || places.program(PYTHON).and_then(|python| of_python(&python));
    in_environments.or_else(installed).or_else(on_path).ok_or_else(|| none(places, folders))
}

/// The kernel of this name.
pub(crate) fn named(places: &Places, folders: &[PathBuf], name: &str) -> Result<Launch, KernelError> {
    let own = environments(places, folders);
    let of_own = own.iter().map(|place| (place.join("share/jupyter"), Some(place.as_path())));
    let all: Vec<_> = of_own.chain(places.data.iter().map(|data| (data.clone(), None))).collect();
    let found = all.iter().find(|(data, _)| spec_file(data, name).is_file());
    match found {
        Some((data, environment)) => Launch::read(&spec_file(data, name), *environment),
        None => {
            let mut known: Vec<String> = all.iter().flat_map(|(data, _)| names(data)).collect();
            known.sort();
            known.dedup();
            Err(KernelError::NoSpec { name: name.into(), known })
        }
    }
}

fn environments(places: &Places, folders: &[PathBuf]) -> Vec<PathBuf> {
    let own = folders.iter().flat_map(|folder| ENVIRONMENTS.map(|name| folder.join(name)));
    own.filter(|place| python_in(place).is_some()).chain(places.environments.iter().cloned()).collect()
}

fn of_environment(place: &Path) -> Option<Launch> {
    let spec = read(&spec_file(&place.join("share/jupyter"), PYTHON), Some(place));
    let module = || {
        let python = python_in(place).filter(|_| has_ipykernel(&place.join("lib")))?;
        Some(Launch::module(&python, Some(place)))
    };
    spec.or_else(module)
}

/// A Python on the path: the kernelspec of its installation, or the module beside it.
fn of_python(python: &Path) -> Option<Launch> {
    let real = python.canonicalize().ok()?;
    let prefixes = [python, &real].map(|path| path.ancestors().nth(2).map(Path::to_path_buf));
    prefixes.into_iter().flatten().find_map(|prefix| {
        let spec = read(&spec_file(&prefix.join("share/jupyter"), PYTHON), None);
        spec.or_else(|| has_ipykernel(&prefix.join("lib")).then(|| Launch::module(python, None)))
    })
}

/// Broken ones are passed over: another one may do.
fn read(spec: &Path, environment: Option<&Path>) -> Option<Launch> {
    if !spec.is_file() {
        return None;
    }
    let launch = Launch::read(spec, environment);
    launch.inspect_err(|error| tracing::warn!(%error, "a kernelspec is passed over")).ok()
}

/// `lib/python3.11/site-packages/ipykernel`, or `dist-packages` as Debian has it.
fn has_ipykernel(lib: &Path) -> bool {
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    let pythons = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"));
    let packages = ["site-packages", "dist-packages"];
    pythons
        .flat_map(|entry| packages.map(|name| entry.path().join(name)))
        .any(|folder| folder.join("ipykernel").is_dir() && folder.join("ipykernel_launcher.py").is_file())
}

/// What to say when there is none: the command for the Python that the person probably means.
pub(crate) fn none(places: &Places, folders: &[PathBuf]) -> KernelError {
    let python = environments(places, folders).iter().find_map(|place| python_in(place));
    let install = match python {
        Some(python) => format!("{} -m pip install ipykernel", python.display()),
        None => "python3 -m venv .venv && .venv/bin/pip install ipykernel".into(),
    };
    KernelError::None { folder: folders.first().cloned().unwrap_or_default(), install }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World(tempfile::TempDir);

    impl World {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn write(&self, name: &str, text: &str) {
            std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
            std::fs::write(self.path(name), text).unwrap();
        }

        fn python(&self, prefix: &str) {
            self.write(&format!("{prefix}/bin/python3"), "");
        }

        fn spec(&self, prefix: &str) {
            let text = format!(r#"{{"argv": ["python"], "display_name": "{prefix}"}}"#);
            self.write(&format!("{prefix}/share/jupyter/kernels/python3/kernel.json"), &text);
        }

        fn module(&self, prefix: &str) {
            for file in ["ipykernel/__init__.py", "ipykernel_launcher.py"] {
                self.write(&format!("{prefix}/lib/python3.12/site-packages/{file}"), "");
            }
        }

        fn find(&self) -> Result<Launch, KernelError> {
            let places = Places {
                data: vec![self.path("data/share/jupyter")],
                environments: vec![self.path("active")],
                programs: vec![self.path("usr/bin")],
                ..Places::default()
            };
            python(&places, &[self.path("work")])
        }
    }

    #[test]
    fn nearest_first() {
        let world = World::new();
        world.python("usr");
        assert!(matches!(world.find(), Err(KernelError::None { .. })));
        world.module("usr");
        assert_eq!(world.find().unwrap().argv[1..3], ["-m", "ipykernel_launcher"]);
        world.spec("data");
        assert!(world.find().unwrap().what.contains("\"data\""));
        world.python("active");
        world.spec("active");
        assert!(world.find().unwrap().what.contains("\"active\""));
        world.python("work/venv");
        world.module("work/venv");
        assert_eq!(world.find().unwrap().argv[0], world.path("work/venv/bin/python3").to_str().unwrap());
        world.python("work/.venv");
        world.spec("work/.venv");
        let launch = world.find().unwrap();
        assert_eq!(launch.argv, [world.path("work/.venv/bin/python3").to_str().unwrap()]);
        assert_eq!(launch.environment, Some(world.path("work/.venv")));
    }

    #[test]
    fn without_one_the_command_that_helps_is_named() {
        let world = World::new();
        let words = world.find().unwrap_err().to_string();
        assert!(words.contains("python3 -m venv .venv && .venv/bin/pip install ipykernel"), "{words}");
        world.python("work/.venv");
        let words = world.find().unwrap_err().to_string();
        assert!(words.contains("work/.venv/bin/python3 -m pip install ipykernel"), "{words}");
    }

    #[test]
    fn a_name_that_is_not_there_is_answered_with_those_that_are() {
        let world = World::new();
        world.spec("data");
        let places = Places { data: vec![world.path("data/share/jupyter")], ..Places::default() };
        assert!(named(&places, &[], "python3").is_ok());
        let words = named(&places, &[], "ir").unwrap_err().to_string();
        assert!(words.contains("no kernelspec `ir` (there are: python3)"), "{words}");
    }
}
