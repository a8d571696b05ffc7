//! The programs that give the built-in editor its abilities: language servers, formatters, a notebook kernel.

use std::path::Path;

use carrick_core::{Desk, Editor};
use carrick_editors::headless::{Formatter, Headless, LanguageServer, Places, Table};

use super::{Finding, State};
use crate::config::Config;

/// Every language server and formatter of the table.
pub(super) fn servers(table: &Table) -> Vec<Finding> {
    if table.servers.is_empty() {
        return vec![Finding::new(
            "language",
            "servers",
            State::Missing,
            "switched off by `language_servers`",
        )];
    }
    let servers = table.servers.iter().map(|server| of_server(table, server));
    servers.chain(table.formatters.iter().map(|formatter| of_formatter(table, formatter))).collect()
}

fn of_server(table: &Table, server: &LanguageServer) -> Finding {
    let found = |state, seen: String| Finding::new("language", server.name.clone(), state, seen);
    match table.command(server) {
        Some((program, _)) => found(State::Good, program.display().to_string()),
        None => {
            let files = server.files.iter().take(3).cloned().collect::<Vec<_>>().join(" ");
            found(State::Missing, format!("is not installed ({files})")).with(server.install.clone())
        }
    }
}

fn of_formatter(table: &Table, formatter: &Formatter) -> Finding {
    let program = formatter.command.first();
    let found = |state, seen: String| Finding::new("format", formatter.name.clone(), state, seen);
    match program.and_then(|program| table.program(program)) {
        Some(program) => found(State::Good, program.display().to_string()),
        // The person asked for it: that it is not there is a mistake.
        None => found(State::Problem, "its program cannot be found".into())
            .with("see `command` in your configuration"),
    }
}

/// Whether notebook code could be run.
pub(super) fn kernel(here: &Path, config: Option<&Config>) -> Finding {
    let desk = Desk::new(vec![here.into()], config.map(Config::private).unwrap_or_default());
    let editor = Headless::seat(&desk);
    match config.map(Config::kernels) {
        Some(Some((consent, choice))) => editor.offer_kernels(consent, Places::of_this_process(), choice),
        Some(None) => {
            return Finding::new("notebook", "kernel", State::Missing, "switched off by `execute_code`");
        }
        None => {}
    }
    match editor.execute().is_some() {
        true => Finding::new("notebook", "kernel", State::Good, "can be had"),
        false => Finding::new("notebook", "kernel", State::Missing, "none can be started or attached to")
            .with("pip install ipykernel"),
    }
}
