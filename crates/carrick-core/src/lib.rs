//! The knot of carrick: the words, the desk and the reviews that every agent and every editor share.
//!
//! Nothing here is serialisable and nothing here does I/O. An agent's front door turns wire messages into
//! calls on the [`Desk`] and on the [`Editor`] behind it; an editor's adapter turns what happens in the editor
//! into calls on the desk; neither knows the other.

mod client;
mod desk;
mod editor;
mod event;
mod exchange;
pub mod hunks;
mod navigate;
pub mod paths;
mod position;
mod private;
mod review;
mod room;
mod service;
mod words;

pub use client::{Client, ClientId, Seat};
pub use desk::{Desk, DeskError, Lineage, MENTION_WAIT};
pub use editor::{
    Answer, Content, Diagnose, Dirty, Editor, EditorError, EditorId, Execute, Files, Format, OpenRequest,
    Opened, Output, Pattern, Who, WorkspaceInfo,
};
pub use event::Event;
pub use exchange::{Direction, Exchange};
pub use navigate::{Change, Location, Navigate, Skill, Spot, Symbol, SymbolsOf};
pub use position::{Position, Range};
pub use private::{PrivateList, PrivatePatternError};
pub use review::{Decision, NewReview, Original, Outcome, Review, ReviewId, ReviewRecord, WaitingReview};
pub use room::{End, Pending, Room, Standing};
pub use service::{Service, ServiceState};
pub use words::{Diagnostic, FileDiagnostics, Mention, Selection, Severity, Tab};
