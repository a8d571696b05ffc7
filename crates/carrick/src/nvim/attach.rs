//! The channel to Neovim: our own standard streams, or the socket of one that runs.

use std::io::IsTerminal;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;

use carrick_editors::nvim::channel::{Channel, Incoming, NeovimError};
use tokio::sync::mpsc;

use crate::exit::Failure;

/// Attaches to the Neovim at this address, else to the one that started us.
pub(super) fn attach(server: Option<&str>) -> Result<(Channel, mpsc::Receiver<Incoming>), Failure> {
    let channel = match server {
        None if std::io::stdin().is_terminal() => return Err(NeovimError::NoChannel.into()),
        None => Channel::over(std::io::stdin(), std::io::stdout()),
        Some(address) => {
            let refused = Failure::io("attach to the Neovim at", address);
            return at(address).map_err(refused);
        }
    };
    channel.map_err(Failure::io("start", "the threads of the channel"))
}

fn at(address: &str) -> std::io::Result<(Channel, mpsc::Receiver<Incoming>)> {
    if Path::new(address).is_absolute() || !address.contains(':') {
        let stream = UnixStream::connect(address)?;
        return Channel::over(stream.try_clone()?, stream);
    }
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    Channel::over(stream.try_clone()?, stream)
}
