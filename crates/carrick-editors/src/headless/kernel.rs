//! Notebook code: the person's consent, and a kernel behind it.
//!
//! Code that runs can do anything the person can do, so nothing runs before the person has said so: in their own
//! configuration, or by accepting the code where changes are reviewed. One yes counts until this carrick ends.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use carrick_core::{
    Answer, ClientId, Desk, EditorError, Execute, NewReview, Original, Outcome, Output, Service,
    ServiceState, WaitingReview,
};
pub use carrick_kernel::{Choice, Places};
use carrick_kernel::{Kernels, Known};
use tokio::sync::Mutex;

use super::Headless;

/// The path, below the workspace, under which code is shown to be allowed. There is no such file.
pub const CODE_TO_ALLOW: &str = ".carrick/run-code.py";

/// Whether agents may run code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    /// The person is asked about the first piece.
    #[default]
    Ask,
    /// The person has allowed it.
    Allow,
}

/// What is needed to run code.
pub(super) struct Notebooks {
    kernels: Kernels,
    allowed: AtomicBool,
    /// The kernel that the person has been told of.
    told: std::sync::Mutex<Option<String>>,
    /// One piece of code after the other, and one question at a time: a yes counts for all who wait.
    turn: Mutex<()>,
}

impl Headless {
    /// Agents may run code from now on, or ask whether they may. Nothing is started before the first piece.
    pub fn offer_kernels(&self, consent: Consent, places: Places, choice: Choice) {
        let allowed = AtomicBool::new(consent == Consent::Allow);
        let kernels = Kernels::new(places, choice);
        self.notebooks.get_or_init(|| Notebooks {
            kernels,
            allowed,
            told: std::sync::Mutex::default(),
            turn: Mutex::default(),
        });
        if let Some(desk) = self.desk.upgrade() {
            desk.abilities_changed();
        }
    }

    /// Ends a kernel that was started for this editor, and waits for that.
    pub async fn close_kernels(&self) {
        if let Some(notebooks) = self.notebooks.get() {
            notebooks.kernels.close().await;
        }
    }

    /// The ability, when a kernel could be had.
    pub(super) fn executes(&self) -> Option<&dyn Execute> {
        let (notebooks, desk) = (self.notebooks.get()?, self.desk.upgrade()?);
        notebooks.kernels.possible(&desk.folders()).then_some(self as &dyn Execute)
    }

    /// The kernel as a person sees it in a list of programs; none while none is needed.
    pub(super) fn kernel_service(&self) -> Option<Service> {
        let Known { what, pid } = self.notebooks.get()?.kernels.known()?;
        let root = self.desk.upgrade().and_then(|desk| desk.folders().into_iter().next());
        let (state, note) = (ServiceState::Running, None);
        Some(Service { name: what, root, state, pid, memory: None, cpu: None, note })
    }

    async fn run_code(&self, client: ClientId, code: String) -> Result<Vec<Output>, EditorError> {
        let gone = || EditorError::Failed("the desk of this workspace is closed".into());
        let desk = self.desk.upgrade().ok_or_else(gone)?;
        let notebooks = self.notebooks.get().ok_or_else(gone)?;
        let _turn = notebooks.turn.lock().await;
        let (code, note) = notebooks.allowed_code(&desk, client, code).await?;
        let folders = desk.folders();
        let outputs = notebooks
            .kernels
            .run(&folders, code)
            .await
            .map_err(|error| EditorError::Failed(error.to_string()))?;
        notebooks.tell(&desk);
        Ok(note.into_iter().chain(outputs.into_iter().map(output)).collect())
    }
}

impl Execute for Headless {
    fn execute(&self, client: ClientId, code: String) -> Answer<'_, Vec<Output>> {
        Box::pin(self.run_code(client, code))
    }
}

impl Notebooks {
    /// Tells the person where code runs, once for each kernel.
    fn tell(&self, desk: &Desk) {
        let Some(Known { what, .. }) = self.kernels.known() else { return };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.as_ref() != Some(&what) {
            desk.remark(format!("notebook code runs in {what}"));
            *told = Some(what);
        }
    }

    /// The code that may run: as it came or, if the person changed it, as they want it, with a note about that.
    async fn allowed_code(
        &self,
        desk: &Arc<Desk>,
        client: ClientId,
        code: String,
    ) -> Result<(String, Option<Output>), EditorError> {
        if self.allowed.load(Ordering::Relaxed) {
            return Ok((code, None));
        }
        if !desk.has_rooms() {
            return Err(EditorError::Failed(NOWHERE_TO_ASK.into()));
        }
        match question(desk, client, &code).outcome().await {
            Outcome::Accepted(wanted) => {
                self.allowed.store(true, Ordering::Relaxed);
                let changed = *wanted != *code;
                let note =
                    changed.then(|| Output::Text(format!("[the person changed the code to:]\n{wanted}\n")));
                Ok((wanted.as_ref().into(), note))
            }
            Outcome::Rejected | Outcome::Closed | Outcome::Gone => Err(EditorError::Failed(REFUSED.into())),
        }
    }
}

/// Puts the code on the desk, where changes are reviewed.
fn question(desk: &Arc<Desk>, client: ClientId, code: &str) -> WaitingReview {
    let folder: PathBuf = desk.folders().into_iter().next().unwrap_or_default();
    let waiting = desk.open_review(NewReview {
        client,
        path: folder.join(CODE_TO_ALLOW),
        tab_name: "run this code?".into(),
        original: Original::Missing,
        proposed: code.into(),
    });
    desk.remark(format!(
        "an agent wants to run code in this workspace: `carrick review show {0}` shows it, `carrick review accept {0}` \
         runs it and allows more until carrick ends, `carrick review reject {0}` refuses",
        waiting.id().0
    ));
    waiting
}

const REFUSED: &str = "The person did not allow code to run in this workspace. Go on without running code, or ask them \
                       to accept it in `carrick review` or to set execute_code = \"allow\" in their carrick configuration.";

const NOWHERE_TO_ASK: &str = "Running code in this workspace needs the person's consent, and there is nowhere to ask for \
                              it. Ask them to set execute_code = \"allow\" in their own carrick configuration.";

fn output(output: carrick_kernel::Output) -> Output {
    match output {
        carrick_kernel::Output::Text(text) => Output::Text(text),
        carrick_kernel::Output::Image { bytes, mime } => Output::Image(bytes, mime.into()),
        carrick_kernel::Output::Error(words) => Output::Error(words),
    }
}
