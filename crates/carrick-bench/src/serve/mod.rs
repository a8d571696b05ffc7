//! The servers that are measured: three that do the least, one on rmcp, and carrick's own door.
//!
//! All of them run as the command does, on one thread, print where they are in one line, push when a line comes on
//! stdin and end when stdin does.

mod broadcast;
mod door;
mod echo;
mod rmcp;
mod start;

use std::future::Future;
use std::net::Ipv4Addr;

use anyhow::Result;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::subject::{Kind, Ready};

/// Runs one of them until stdin ends.
pub(crate) fn serve(kind: Kind) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        match kind {
            Kind::BaselineEcho => echo::run().await,
            Kind::BaselineBroadcast => broadcast::run().await,
            Kind::BaselineRmcp => rmcp::run().await,
            Kind::BaselineStart => start::run().await,
            Kind::Door => door::run().await,
        }
    });
    runtime.shutdown_background();
    done
}

async fn listen() -> Result<TcpListener> {
    crate::client::raise_descriptor_limit();
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?)
}

fn announce(port: u16, token: &str) -> Result<()> {
    println!("{}", serde_json::to_string(&Ready { port, token: token.into(), lock: None })?);
    Ok(())
}

/// Accepts for ever; each connection gets a task.
async fn accept<F: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    mut seat: impl FnMut(TcpStream) -> F,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        tokio::spawn(seat(stream));
    }
}

/// Calls `push` with 1, 2, 3 … for each line on stdin, until it ends.
async fn obey(mut push: impl AsyncFnMut(u64)) {
    let mut orders = orders();
    let mut number = 0;
    while orders.recv().await.is_some() {
        number += 1;
        push(number).await;
    }
}

/// A thread, because it costs nothing while it waits; tokio's own stdin would use one too.
fn orders() -> mpsc::Receiver<()> {
    // A full queue holds the thread, and with it whoever gives orders too fast.
    let (sender, orders) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            if line.is_err() || sender.blocking_send(()).is_err() {
                return;
            }
        }
    });
    orders
}

/// The limits and buffers that carrick sets, for those that are compared with it in memory.
fn carricks_config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(16 * 1024)
        .max_message_size(Some(64 << 20))
        .max_frame_size(Some(64 << 20))
}
