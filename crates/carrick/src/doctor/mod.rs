//! `carrick doctor`: whether everything is in place. It looks and starts nothing: no desk, no agent, no language server.

mod agent;
mod places;
mod programs;

use carrick_editors::headless::Table;
use serde::Serialize;
use serde_json::json;

use crate::args::LogArguments;
use crate::config::{Config, Flags};
use crate::env;
use crate::exit::{Exit, Failure};
use crate::join::here;
use crate::print::{Line, Out, Tone};

/// How a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// As it should be.
    Good,
    /// Not there, and that is no fault.
    Missing,
    /// Something will not work.
    Problem,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    /// Of which kind.
    about: &'static str,
    /// Which.
    name: String,
    state: State,
    /// What was seen.
    seen: String,
    /// What to do, when there is something.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn new(about: &'static str, name: impl Into<String>, state: State, seen: impl Into<String>) -> Self {
        Self { about, name: name.into(), state, seen: seen.into(), advice: None }
    }

    fn with(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

pub(crate) fn doctor(json: bool, log: &LogArguments) -> Result<Exit, Failure> {
    let findings = look(log)?;
    let out = Out::new();
    if json {
        out.json(&json!({ "findings": findings }));
    } else {
        findings.iter().for_each(|finding| out.line(&line(finding)));
    }
    let ill = findings.iter().any(|finding| finding.state == State::Problem);
    Ok(if ill { Exit::CouldNot } else { Exit::Done })
}

fn look(log: &LogArguments) -> Result<Vec<Finding>, Failure> {
    let here = here()?;
    let flags = Flags { log_filter: log.log_filter.clone(), ..Flags::default() };
    let config = Config::load(&here, &flags);
    let mut findings = vec![Finding::new("carrick", "version", State::Good, env!("CARGO_PKG_VERSION"))];
    findings.push(configuration(&config));
    findings.extend(places::look(&here));
    findings.push(agent::look());
    let table = match &config {
        Ok(config) => config.languages(env::path()),
        Err(_) => Table::built_in(env::path()),
    };
    findings.extend(programs::servers(&table));
    findings.push(programs::kernel(&here, config.as_ref().ok()));
    Ok(findings)
}

fn configuration(config: &Result<Config, crate::config::ConfigError>) -> Finding {
    match config {
        Ok(_) => {
            Finding::new("carrick", "configuration", State::Good, "can be read; `carrick config` shows it")
        }
        Err(error) => {
            let finding = Finding::new("carrick", "configuration", State::Problem, error.to_string());
            Finding { advice: error.hint(), ..finding }
        }
    }
}

fn line(finding: &Finding) -> Line {
    let (mark, tone) = match finding.state {
        State::Good => ("ok", Tone::Good),
        State::Missing => ("–", Tone::Dim),
        State::Problem => ("!!", Tone::Bad),
    };
    let line = Line::of(tone, format!("{mark:<3}")).and(Tone::Dim, format!("{:<9}", finding.about));
    let line = line.and(Tone::Strong, format!("{:<27}", finding.name)).and(Tone::Plain, finding.seen.clone());
    match &finding.advice {
        Some(advice) => line.and(Tone::Dim, format!("  {advice}")),
        None => line,
    }
}
