//! `carrick folder add` and `remove`.

use std::path::Path;

use carrick_editors::link::protocol::{FolderAdd, FolderParams, FolderRemove, FoldersReply};

use crate::args::FolderCommand;
use crate::exit::{Exit, Failure};
use crate::join::Shell;
use crate::print::{Line, Out};

pub(crate) async fn folder(command: FolderCommand) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let params = |directory: &Path| FolderParams { path: shell.here.join(directory) };
    let (reply, json, unchanged) = match command {
        FolderCommand::Add { directory, json } => {
            let params = params(&directory);
            (shell.ask::<FolderAdd>(&params).await?, json.json, "it was there already")
        }
        FolderCommand::Remove { directory, json } => {
            let params = params(&directory);
            (shell.ask::<FolderRemove>(&params).await?, json.json, "it was not there")
        }
    };
    report(&reply, json, unchanged);
    Ok(Exit::Done)
}

fn report(reply: &FoldersReply, json: bool, unchanged: &str) {
    let out = Out::new();
    if json {
        return out.json(reply);
    }
    if !reply.changed {
        out.line(&Line::plain(unchanged));
    }
    for folder in &reply.folders {
        out.line(&Line::plain(folder.display().to_string()));
    }
}
