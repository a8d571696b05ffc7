//! When a run is over: a result ends a turn; the run ends when the CLI says it is idle.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::frame::{AssistantError, Frame, SessionState, System};

/// What the frames so far tell about the run.
#[derive(Debug, Default)]
pub(super) struct Run {
    state: Mutex<State>,
    /// Told of every change; how many there were does not matter.
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct State {
    session: Option<SessionState>,
    results: u64,
    /// The model is speaking, or something else happened since the last result.
    in_turn: bool,
    /// The last frame that counts was a result that reports a failure.
    explained: bool,
    error: Option<AssistantError>,
    ending: bool,
}

impl Run {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn see(&self, frame: &Frame) {
        let mut state = self.state();
        match frame {
            Frame::System(System::SessionStateChanged(changed)) => {
                state.session = Some(changed.state.clone())
            }
            Frame::Result(result) => {
                state.results += 1;
                state.in_turn = false;
                state.explained = !result.is_success();
            }
            Frame::Assistant(said) => {
                state.explained = false;
                if let Some(error) = &said.error {
                    state.error = Some(error.clone());
                }
                state.in_turn |= said.parent_tool_use_id.is_none();
            }
            Frame::StreamEvent(event) => state.in_turn |= event.parent_tool_use_id.is_none(),
            _ => {}
        }
        drop(state);
        self.changed.send_replace(());
    }

    /// Waits until no further turn is owed.
    pub(super) async fn over(&self) {
        let mut changed = self.changed.subscribe();
        while !self.is_over() && changed.changed().await.is_ok() {}
    }

    /// No further turn is owed. A CLI that never tells its state is done with its result.
    pub(super) fn is_over(&self) -> bool {
        let state = self.state();
        let idle = matches!(state.session, None | Some(SessionState::Idle));
        state.results > 0 && !state.in_turn && idle
    }

    /// Between a result and the next turn, if there is one.
    pub(super) fn is_between_turns(&self) -> bool {
        let state = self.state();
        let waits = matches!(state.session, Some(SessionState::RequiresAction));
        state.results > 0 && !state.in_turn && !waits
    }

    /// Why the API refused, if an assistant frame said so.
    pub(super) fn error(&self) -> Option<AssistantError> {
        self.state().error.clone()
    }

    pub(super) fn explained(&self) -> bool {
        self.state().explained
    }

    /// We are ending it ourselves: however it ends, it is no error.
    pub(super) fn ending(&self) {
        self.state().ending = true;
    }

    pub(super) fn is_ending(&self) -> bool {
        self.state().ending
    }
}
