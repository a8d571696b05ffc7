//! A workspace with a kernelspec and a runtime folder that nothing else knows.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use carrick_kernel::{Choice, Kernels, Output, Places};
use carrick_testkit::family::Family;
use carrick_testkit::jupyter::{environment, variables};
use tokio::time::{Instant, timeout};

/// More than anything here needs; what takes longer is stuck.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) family: Family,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { folder: tempfile::tempdir().unwrap(), family: Family::new() };
        std::fs::create_dir(world.path("work")).unwrap();
        world.spec("signal");
        world
    }

    /// The kernelspec, whose kernels keep to this world and can be found by their mark.
    pub(crate) fn spec(&self, interrupt_mode: &str) {
        let python = environment().unwrap().join("bin/python3");
        let (mark, value) = self.family.env();
        let mut env: BTreeMap<String, String> = variables(&self.path("home"))
            .into_iter()
            .map(|(name, path)| (name.into(), path.to_str().unwrap().into()))
            .collect();
        env.insert(mark.into(), value.into());
        let spec = serde_json::json!({
            "argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": "test", "language": "python", "interrupt_mode": interrupt_mode, "env": env,
        });
        let folder = self.path("data/kernels/python3");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("kernel.json"), spec.to_string()).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        vec![self.path("work")]
    }

    pub(crate) fn kernels(&self) -> Kernels {
        self.kernels_of(Choice::Auto)
    }

    pub(crate) fn kernels_of(&self, choice: Choice) -> Kernels {
        Kernels::new(self.places("home/runtime"), choice)
    }

    pub(crate) fn places(&self, runtime: &str) -> Places {
        Places { runtime: self.path(runtime), data: vec![self.path("data")], ..Places::default() }
    }

    pub(crate) async fn run(&self, kernels: &Kernels, code: &str) -> Vec<Output> {
        let folders = self.folders();
        let run = timeout(PATIENCE, kernels.run(&folders, code.into()));
        run.await.expect("the code ends").unwrap()
    }

    /// The same, when it is only text.
    pub(crate) async fn text(&self, kernels: &Kernels, code: &str) -> String {
        texts(&self.run(kernels, code).await)
    }

    pub(crate) fn runtime_files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path("home/runtime")).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.family.end(None);
    }
}

pub(crate) fn texts(outputs: &[Output]) -> String {
    let texts = outputs.iter().map(|output| match output {
        Output::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    });
    texts.collect()
}

pub(crate) fn error(outputs: &[Output]) -> &str {
    match outputs.last() {
        Some(Output::Error(words)) => words,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        // waits: for the next look at the condition
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
