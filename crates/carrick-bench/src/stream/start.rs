//! From nothing to the CLI's first answer: bare pipes against `Client::start`, by turns.
//!
//! The best of many is the figure: everything that happens on a machine only adds. What is left of chance is shown
//! beside it, as the same comparison of the bare starts among themselves.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use carrick_claude::{Client, Options};
use serde_json::json;

use super::table::{Row, Target, Unit};
use super::{tool, write_stub};
use crate::samples::median;

/// May be more than the bare CLI takes.
const LIMIT: f64 = 5.0;

/// Answers the greeting and ends with its input.
const STUB: &str = r#"#!/bin/sh
read -r line
echo '{"type":"control_response","response":{"subtype":"success","request_id":"req_1","response":{}}}'
read -r line
"#;

/// Keeps the CLI quiet and at home; the key opens nothing and nobody listens at the address.
const SWITCHES: [(&str, &str); 6] = [
    ("ANTHROPIC_API_KEY", "none"),
    ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
];

pub(super) async fn rows(stub_starts: usize, cli_starts: usize) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let stub = folder.path().join("claude");
    write_stub(&stub, STUB)?;
    let stub = Place::new(stub, folder.path());
    let mut rows = Starts::take(&stub, stub_starts)
        .await?
        .rows("a stub for the CLI", ["stub_best", "stub_median", "stub_noise"]);
    match tool("claude/node_modules/.bin/claude") {
        Some(cli) => {
            let cli = Place::new(cli, folder.path());
            // Not measured: it makes its folders, and the machine reads its file.
            bare(&cli)?;
            rows.extend(
                Starts::take(&cli, cli_starts)
                    .await?
                    .rows("the CLI", ["cli_best", "cli_median", "cli_noise"]),
            );
        }
        None => eprintln!("SDK: the CLI is not installed; `cargo xtask test --only tools` installs it"),
    }
    Ok(rows)
}

/// What is started, and where.
struct Place {
    program: PathBuf,
    home: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl Place {
    fn new(program: PathBuf, home: &Path) -> Self {
        let mut env: Vec<(OsString, OsString)> =
            SWITCHES.iter().map(|(name, value)| (name.into(), value.into())).collect();
        env.extend(["HOME", "CLAUDE_CONFIG_DIR"].map(|name| (name.into(), home.into())));
        env.push(("PATH".into(), std::env::var_os("PATH").unwrap_or_default()));
        Self { program, home: home.to_owned(), env }
    }

    fn options(&self) -> Options {
        Options::new().program(&self.program).clear_env().envs(self.env.clone()).cwd(&self.home)
    }
}

/// Milliseconds of each start.
#[derive(Default)]
struct Starts {
    ours: Vec<f64>,
    bare: Vec<f64>,
}

impl Starts {
    async fn take(place: &Place, rounds: usize) -> Result<Self> {
        let mut starts = Self::default();
        for round in 0..rounds {
            // By turns, so that neither always comes after the other.
            if round % 2 == 0 {
                starts.bare.push(bare(place)?);
                starts.ours.push(ours(place).await?);
            } else {
                starts.ours.push(ours(place).await?);
                starts.bare.push(bare(place)?);
            }
        }
        Ok(starts)
    }

    fn rows(&self, of: &str, [best_key, median_key, noise_key]: [&'static str; 3]) -> Vec<Row> {
        let rounds = self.ours.len();
        let row = |key, what, ours, other, theirs, target| Row {
            key,
            what,
            unit: Unit::Millis,
            ours,
            other,
            theirs,
            ratio: None,
            target,
        };
        // Rounds of both orders in each half.
        let half = |which: usize| {
            let chosen = self.bare.iter().enumerate().filter(|(round, _)| round / 2 % 2 == which);
            best(&chosen.map(|(_, took)| *took).collect::<Vec<_>>())
        };
        let limit = Target::AtMostMore(LIMIT);
        vec![
            row(
                best_key,
                format!("start of {of}, best of {rounds}"),
                best(&self.ours),
                "bare pipes",
                best(&self.bare),
                limit,
            ),
            row(
                median_key,
                format!("start of {of}, median"),
                median(&self.ours),
                "bare pipes",
                median(&self.bare),
                Target::Known,
            ),
            row(
                noise_key,
                "chance in the best of them".into(),
                half(0),
                "bare pipes, twice",
                half(1),
                Target::Known,
            ),
        ]
    }
}

fn best(times: &[f64]) -> Option<f64> {
    times.iter().copied().min_by(f64::total_cmp)
}

async fn ours(place: &Place) -> Result<f64> {
    let (options, began) = (place.options(), Instant::now());
    let client = Client::start(options).await?;
    let took = began.elapsed();
    client.close().await?;
    Ok(took.as_secs_f64() * 1e3)
}

fn bare(place: &Place) -> Result<f64> {
    let (argv, began) = (place.options().argv()?, Instant::now());
    let mut command = Command::new(&place.program);
    command.args(argv).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.env_clear().envs(place.env.iter().map(|(name, value)| (name, value))).current_dir(&place.home);
    // The same variables, because some of them change what the CLI does at its start.
    command.env("CLAUDE_CODE_ENTRYPOINT", "sdk-rs").env("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1");
    let mut child = command.spawn().with_context(|| format!("starting {}", place.program.display()))?;
    let (mut stdin, stdout) = child.stdin.take().zip(child.stdout.take()).context("no pipes")?;
    let hello = json!({"subtype": "initialize", "hooks": null});
    writeln!(stdin, "{}", json!({"type": "control_request", "request_id": "req_1", "request": hello}))?;
    let (mut stdout, mut line) = (BufReader::new(stdout), String::new());
    stdout.read_line(&mut line)?;
    let took = began.elapsed();
    drop(stdin);
    // Read to the end, so that it never waits for us.
    std::io::copy(&mut stdout, &mut std::io::sink())?;
    child.wait()?;
    ensure!(line.contains("\"success\""), "it does not answer: {line}");
    Ok(took.as_secs_f64() * 1e3)
}
