//! `carrick config`: every value and where it comes from.

use serde_json::{Map, json};

use crate::args::LogArguments;
use crate::config::{Config, Flags, documented};
use crate::exit::{Exit, Failure};
use crate::join::{here, runtime_folder};
use crate::print::{Line, Out, Tone};
use carrick_editors::link::place::RuntimeFolder;

pub(crate) fn config(defaults: bool, json: bool, log: &LogArguments) -> Result<Exit, Failure> {
    let out = Out::new();
    if defaults {
        out.exactly(&documented());
        return Ok(Exit::Done);
    }
    let flags = Flags { log_filter: log.log_filter.clone(), ..Flags::default() };
    let config = Config::load(&workspace()?, &flags)?;
    if json {
        out.json(&as_json(&config))
    } else {
        table(&config, out)
    }
    Ok(Exit::Done)
}

/// The folder of the desk that runs here, whose file counts; without one, this folder.
fn workspace() -> Result<std::path::PathBuf, Failure> {
    let (folder, here) = (runtime_folder(), here()?);
    if !folder.exists() {
        return Ok(here);
    }
    Ok(RuntimeFolder::open(folder)?.find(&here).map_or(here, |desk| desk.root))
}

fn table(config: &Config, out: Out) {
    for (key, setting) in config.settings() {
        let line = Line::of(Tone::Strong, key.as_str()).and(Tone::Plain, format!(" = {}", setting.value));
        out.line(&line.and(Tone::Dim, format!("  # {}", setting.origin)));
    }
}

fn as_json(config: &Config) -> Map<String, serde_json::Value> {
    let entry = |setting: &crate::config::Setting| json!({ "value": setting.value, "origin": setting.origin.to_string() });
    config.settings().iter().map(|(key, setting)| (key.clone(), entry(setting))).collect()
}
