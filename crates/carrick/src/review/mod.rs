//! `carrick review`: the changes that agents propose, and what the person decides about them.

pub(crate) mod choice;
mod decide;
mod diff;
mod edit;
pub(crate) mod link_source;
mod list;
pub(crate) mod program;
pub(crate) mod room;
pub(crate) mod unasked;

use crate::args::ReviewCommand;
use crate::exit::{Exit, Failure};

pub(crate) async fn review(command: Option<ReviewCommand>) -> Result<Exit, Failure> {
    match command {
        None if room::is_possible() => room::visit().await,
        None => list::list(false, false).await,
        Some(ReviewCommand::List { all, json }) => list::list(all, json.json).await,
        Some(ReviewCommand::Show { id, proposed, json }) => diff::show(id, proposed, json.json).await,
        Some(ReviewCommand::Accept { id, hunks, json }) => decide::accept(id, hunks, json.json).await,
        Some(ReviewCommand::Reject { id, json }) => decide::reject(id, json.json).await,
        Some(ReviewCommand::Edit { id, json }) => edit::edit(id, json.json).await,
        Some(ReviewCommand::Forget { id, json }) => decide::forget(id, json.json).await,
    }
}
