//! The kernel of a workspace: found when it is first needed, kept between calls, replaced when it has died.

use std::path::PathBuf;
use std::sync::PoisonError;

use tokio::sync::Mutex;

use crate::kernel::Kernel;
use crate::{KernelError, Output, Places, find, server};

/// Which kernel is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// That of a notebook of the workspace that is open in Jupyter, else a new one.
    #[default]
    Auto,
    /// A new one of the kernelspec of this name.
    Named(String),
    /// The one of this connection file.
    File(PathBuf),
}

impl Choice {
    /// As it stands in a configuration: `auto`, the name of a kernelspec, or the path of a connection file.
    #[must_use]
    pub fn of(words: &str) -> Self {
        match words {
            "auto" => Self::Auto,
            path if path.contains('/') || path.ends_with(".json") => Self::File(path.into()),
            name => Self::Named(name.into()),
        }
    }
}

/// The kernel of a workspace, once there is one.
pub struct Kernels {
    places: Places,
    choice: Choice,
    current: Mutex<Option<Kernel>>,
    /// What is known of the current one, also while it is busy and the lock above taken.
    known: std::sync::Mutex<Option<Known>>,
}

/// What a person may want to know of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// What it is.
    pub what: String,
    /// Its process, which leads a group; `None` when it is somebody else's.
    pub pid: Option<u32>,
}

impl Kernels {
    /// Nothing is looked for or started yet.
    #[must_use]
    pub fn new(places: Places, choice: Choice) -> Self {
        Self { places, choice, current: Mutex::new(None), known: std::sync::Mutex::default() }
    }

    /// True when a kernel could be had for these folders. Looks at a few files; asks nobody, starts nothing.
    #[must_use]
    pub fn possible(&self, folders: &[PathBuf]) -> bool {
        match &self.choice {
            Choice::Auto => find::python(&self.places, folders).is_ok() || server::any(&self.places),
            Choice::Named(name) => find::named(&self.places, folders, name).is_ok(),
            Choice::File(path) => self.connection_file(path, folders).is_file(),
        }
    }

    /// Runs code in the kernel of these folders; one caller at a time. Dropping the future interrupts the code.
    ///
    /// # Errors
    /// There is no kernel, or it does not start.
    pub async fn run(&self, folders: &[PathBuf], code: String) -> Result<Vec<Output>, KernelError> {
        let mut current = self.current.lock().await;
        let mut note = None;
        loop {
            let (kernel, news) = self.ready(&mut current, folders).await?;
            note = note.or(news);
            match kernel.run(code.clone()).await {
                Some(ran) => {
                    if ran.died {
                        *current = None;
                        self.know(None);
                    }
                    return Ok(note.map(Output::Text).into_iter().chain(ran.outputs).collect());
                }
                // It died of what was before this code, which it never saw.
                None => kernel.gone().await,
            }
        }
    }

    /// The kernel there is or a new one, and what the caller has to know about the change.
    async fn ready<'a>(
        &self,
        current: &'a mut Option<Kernel>,
        folders: &[PathBuf],
    ) -> Result<(&'a Kernel, Option<String>), KernelError> {
        let mut note = None;
        if let Some(kernel) = current.take() {
            if kernel.is_alive() {
                return Ok((current.insert(kernel), None));
            }
            self.know(None);
            let why = kernel.unsaid().unwrap_or_else(|| format!("{} is gone", kernel.what));
            note = Some(format!("[a new kernel, without the variables of the last one: {why}]"));
        }
        let kernel = self.find(folders).await?;
        tracing::info!(kernel = kernel.what, "code runs in a kernel");
        self.know(Some(Known { what: kernel.what.clone(), pid: kernel.pid }));
        Ok((current.insert(kernel), note))
    }

    async fn find(&self, folders: &[PathBuf]) -> Result<Kernel, KernelError> {
        let launch = match &self.choice {
            Choice::File(path) => {
                let path = self.connection_file(path, folders);
                return Kernel::attach(format!("the kernel of {}", path.display()), &path).await;
            }
            Choice::Named(name) => find::named(&self.places, folders, name)?,
            Choice::Auto => match self.open_notebook(folders).await {
                Some(kernel) => return Ok(kernel),
                None => find::python(&self.places, folders)?,
            },
        };
        let folder = folders.first().cloned().unwrap_or_default();
        Kernel::start(&launch, &self.places, &folder).await
    }

    async fn open_notebook(&self, folders: &[PathBuf]) -> Option<Kernel> {
        let open = server::newest(&self.places, folders).await?;
        let attached =
            Kernel::attach(format!("the kernel of {}", open.notebook.display()), &open.connection_file);
        attached.await.inspect_err(|error| tracing::warn!(%error, "an open notebook is passed over")).ok()
    }

    /// A configured path begins in the workspace or, as Jupyter has it, in the runtime folder.
    fn connection_file(&self, path: &std::path::Path, folders: &[PathBuf]) -> PathBuf {
        let starts = folders.first().into_iter().chain([&self.places.runtime]);
        let found = starts.map(|start| start.join(path)).find(|path| path.is_file());
        found.unwrap_or_else(|| path.into())
    }

    /// The kernel that code ran in last; `None` while there is none.
    #[must_use]
    pub fn known(&self) -> Option<Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn know(&self, kernel: Option<Known>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = kernel;
    }

    /// Ends a kernel of ours, and waits for that; one of somebody else is left alone.
    pub async fn close(&self) {
        if let Some(kernel) = self.current.lock().await.take() {
            self.know(None);
            kernel.close().await;
        }
    }
}
