//! `carrick completions` and `carrick man`: documents made from the definition of the command line.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::exit::{Exit, Failure};
use crate::print::Out;

pub(crate) fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "carrick", &mut script);
    Out::new().exactly(&String::from_utf8_lossy(&script));
    Exit::Done
}

pub(crate) fn man(directory: Option<&Path>) -> Result<Exit, Failure> {
    let command = Arguments::command();
    match directory {
        Some(directory) => {
            std::fs::create_dir_all(directory).map_err(Failure::io("make", directory))?;
            clap_mangen::generate_to(command, directory)
                .map_err(Failure::io("write man pages into", directory))?;
        }
        None => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(command).render(&mut page);
            rendered.map_err(Failure::io("make", "the man page"))?;
            Out::new().exactly(&String::from_utf8_lossy(&page));
        }
    }
    Ok(Exit::Done)
}
