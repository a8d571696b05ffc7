//! `carrick plugin`: the plug-ins that this binary was built with, so that the two always fit.

use std::path::Path;

use crate::args::PluginCommand;
use crate::exit::{Exit, Failure};
use crate::print::{Line, Out};

include!(concat!(env!("OUT_DIR"), "/plugin_nvim.rs"));

pub(crate) fn plugin(command: PluginCommand) -> Result<Exit, Failure> {
    let PluginCommand::Nvim { directory } = command;
    match directory {
        Some(directory) => write(&directory),
        None => {
            print();
            Ok(Exit::Done)
        }
    }
}

/// All files, each under a line that names it.
fn print() {
    let out = Out::new();
    for (name, contents) in NVIM {
        out.exactly(&format!("-- {name}\n{contents}\n"));
    }
}

fn write(directory: &Path) -> Result<Exit, Failure> {
    for (name, contents) in NVIM {
        let file = directory.join(name);
        let folder = file.parent().unwrap_or(directory);
        std::fs::create_dir_all(folder).map_err(Failure::io("make", folder))?;
        std::fs::write(&file, contents).map_err(Failure::io("write", &file))?;
    }
    Out::new().line(&Line::plain(format!("wrote {} files into {}", NVIM.len(), directory.display())));
    Ok(Exit::Done)
}
