//! The command line: what can be typed, and the help that says so. Man pages and completions come from here too.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, builder::PossibleValuesParser};
use clap_complete::Shell;

const EXIT_CODES: &str = "\
Exit codes:
  0  it was done
  1  it could not be done
  2  the command line makes no sense
  3  no server runs for this directory";

/// Ties any editor to a coding agent
///
/// One carrick runs for a workspace (`carrick serve`, or `carrick run` for as long as the agent runs). All other
/// commands find it from any directory of that workspace.
#[derive(Debug, Parser)]
#[command(name = "carrick", version, after_help = EXIT_CODES, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) log: LogArguments,
}

/// Where the log goes.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Log")]
pub(crate) struct LogArguments {
    /// Log more, to standard error or the log file: -v what happens, -vv why, -vvv everything
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    /// Log to this file instead of standard error
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) log_file: Option<PathBuf>,
    /// Log what this filter lets through, such as `warn,carrick_agents=debug`
    #[arg(long, value_name = "FILTER", global = true, value_parser = filter)]
    pub(crate) log_filter: Option<String>,
}

fn filter(text: &str) -> Result<String, String> {
    crate::log::check(text).map(|()| text.to_owned())
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Open the desk of a workspace, or watch the one that is open
    ///
    /// Agents find it through a lock file, until it is ended with Ctrl-C, SIGTERM or SIGHUP; an end of that kind is
    /// orderly and exits with 0. If a desk is open for the directory already, this one joins it as a viewer: it shows
    /// the same events and takes over, with the same port and token, when the first one ends.
    Serve(ServeArguments),
    /// Run an agent that is tied to this workspace
    ///
    /// Uses the desk of this directory, or opens one for as long as the command runs. Signals and the exit code are
    /// passed on.
    Run {
        /// What to run [default: claude]
        #[arg(last = true, value_name = "CMD")]
        command: Vec<std::ffi::OsString>,
    },
    /// Ask Claude Code one question
    ///
    /// The answer is on standard output as it is written, the tools it uses are on standard error. What is piped in
    /// is put behind the question. Tools that need a permission are refused unless --allow or the settings permit
    /// them.
    Ask(AskArguments),
    /// Show who is connected, what is selected and what waits
    Status(JsonArguments),
    /// Check whether everything is in place, and say what to install
    ///
    /// Looks at the configuration, the folders, the CLI, the desk of this directory, language servers and notebook
    /// kernels. Starts nothing. Exits with 1 when something will not work; what is merely not installed is no fault.
    Doctor(JsonArguments),
    /// Open a file, and put the cursor somewhere
    Open {
        /// The file; lines and columns count from 1
        #[arg(value_name = "FILE[:LINE[:COL]]")]
        target: String,
        /// As a preview that the next file replaces
        #[arg(long)]
        preview: bool,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Select a part of a file, for agents to see
    ///
    /// Lines and columns count from 1 and both ends are included. `a.rs:3` is line 3, `a.rs:3-5` three lines,
    /// `a.rs:3:2-3:4` three characters, `a.rs:3:2-5` from a character to the end of line 5, `a.rs` the whole file.
    /// Columns count characters as they are seen: a letter with its accents is one, an emoji is one.
    Select {
        /// The file and the part
        #[arg(value_name = "FILE:L[:C]-L[:C]")]
        target: String,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Put files, folders or lines into the prompt of the agents
    ///
    /// While no agent listens, a mention waits for 30 seconds.
    Mention {
        /// The files; lines count from 1, the last one is included
        #[arg(value_name = "FILE[:L[-L]]", required = true)]
        targets: Vec<String>,
        /// Only to the client with this number, as `carrick status` shows it
        #[arg(long, value_name = "N")]
        client: Option<u64>,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Change the folders of the workspace
    #[command(subcommand)]
    Folder(FolderCommand),
    /// Decide about the changes that agents propose
    ///
    /// Without a subcommand: list those that wait. ID may be left out when exactly one waits.
    #[command(args_conflicts_with_subcommands = true)]
    Review {
        /// Open the review page in a browser, and print its address, which works once
        #[arg(long)]
        open: bool,
        /// Print JSON
        #[arg(long, requires = "open")]
        json: bool,
        #[command(subcommand)]
        command: Option<ReviewCommand>,
    },
    /// Show the configuration and where each value comes from
    ///
    /// The order, the last one wins: default, the person's own file, `carrick.toml` in the workspace, environment,
    /// command line.
    Config {
        /// Print every key with its meaning and default, as a file to start from
        #[arg(long, conflicts_with = "json")]
        defaults: bool,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Tie a Neovim to the desk of its folder, for as long as it runs
    ///
    /// Started by carrick's plug-in, over its own standard input and output; by hand with --server. The first Neovim of
    /// a workspace opens the desk, the others join it.
    Nvim(NvimArguments),
    /// Print or write the plug-in of an editor, in the version that fits this carrick
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Print a completion script
    Completions {
        /// For which shell
        shell: Shell,
    },
    /// Print the man page, or write all of them into a directory
    Man {
        /// Where to
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
}

/// How a desk is opened.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ServeArguments {
    /// The workspace [default: the current directory]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// The words in which agents are answered
    #[arg(long, value_parser = dialects())]
    pub(crate) dialect: Option<String>,
    /// The name under which agents see this workspace [default: carrick]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Open the review page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Print lines, also on a terminal, instead of showing the review room
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) json: JsonArguments,
}

fn dialects() -> PossibleValuesParser {
    PossibleValuesParser::new(carrick_agents::claude::Dialect::names())
}

/// A question.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct AskArguments {
    /// The question; without it, what is piped in
    pub(crate) prompt: Vec<String>,
    /// The model to ask
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Tools that may be used without a permission, such as `Edit` or `Bash(git *)`
    #[arg(long, value_name = "TOOL")]
    pub(crate) allow: Vec<String>,
    /// How tool uses are decided, such as `plan` or `acceptEdits`
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// Go on with the latest conversation of this directory
    #[arg(long = "continue", conflicts_with = "resume")]
    pub(crate) go_on: bool,
    /// Go on with this conversation
    #[arg(long, value_name = "SESSION")]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArguments,
}

/// Which Neovim.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct NvimArguments {
    /// Attach to the Neovim that listens at this address, such as $NVIM
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) server: Option<String>,
}

/// Whose plug-in.
#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// The plug-in for Neovim 0.10 and newer
    Nvim {
        /// Write it into this directory, such as ~/.local/share/nvim/site/pack/carrick/start/carrick
        #[arg(value_name = "DIR")]
        directory: Option<PathBuf>,
    },
}

/// For programs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct JsonArguments {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The folders of the workspace.
#[derive(Debug, Subcommand)]
pub(crate) enum FolderCommand {
    /// Add a folder; agents that run in it find this desk too
    Add {
        /// The folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Take a folder away
    Remove {
        /// The folder
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        json: JsonArguments,
    },
}

/// What to do about proposed changes.
#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// List the changes that wait
    List {
        /// Also those that have ended
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Show a change with numbered hunks
    Show {
        /// Its number
        id: Option<u64>,
        /// Print the proposed contents instead, exactly as they are (on a terminal, control characters are replaced)
        #[arg(long, conflicts_with = "json")]
        proposed: bool,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Accept a change; the agent writes the file
    Accept {
        /// Its number
        id: Option<u64>,
        /// Only these hunks, as `carrick review show` numbers them
        #[arg(long, value_delimiter = ',', value_name = "N,N…")]
        hunks: Option<Vec<usize>>,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Reject a change
    Reject {
        /// Its number
        id: Option<u64>,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Change the proposed contents in your own editor ($VISUAL, $EDITOR), then accept them
    ///
    /// Nothing is decided when the editor fails or leaves an empty file; the file with your changes is then kept.
    Edit {
        /// Its number
        id: Option<u64>,
        #[command(flatten)]
        json: JsonArguments,
    },
    /// Take a change that has ended out of the list, for good
    Forget {
        /// Its number
        id: u64,
        #[command(flatten)]
        json: JsonArguments,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Arguments::command().debug_assert();
    }
}
