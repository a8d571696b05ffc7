//! `carrick review`: the changes that agents propose, and what the person decides about them.

mod decide;
mod diff;
mod edit;
mod list;

use crate::args::ReviewCommand;
use crate::exit::{Exit, Failure};

pub(crate) async fn review(command: Option<ReviewCommand>) -> Result<Exit, Failure> {
    match command {
        None => list::list(false, false).await,
        Some(ReviewCommand::List { all, json }) => list::list(all, json.json).await,
        Some(ReviewCommand::Show { id, proposed, json }) => diff::show(id, proposed, json.json).await,
        Some(ReviewCommand::Accept { id, hunks, json }) => decide::accept(id, hunks, json.json).await,
        Some(ReviewCommand::Reject { id, json }) => decide::reject(id, json.json).await,
        Some(ReviewCommand::Edit { id, json }) => edit::edit(id, json.json).await,
        Some(ReviewCommand::Forget { id, json }) => decide::forget(id, json.json).await,
    }
}
