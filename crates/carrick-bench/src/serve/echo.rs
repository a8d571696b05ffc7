//! Sends back what comes: what tokio-tungstenite costs with nothing around it, in its own default settings.

use anyhow::Result;
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::accept_async;

use super::{accept, announce, listen, obey};

pub(super) async fn run() -> Result<()> {
    let listener = listen().await?;
    announce(listener.local_addr()?.port(), "")?;
    tokio::select! {
        () = accept(listener, echo) => {}
        () = obey(async |_| {}) => {}
    }
    Ok(())
}

async fn echo(stream: TcpStream) {
    let Ok(mut socket) = accept_async(stream).await else { return };
    while let Some(Ok(message)) = socket.next().await {
        if message.is_text() && socket.send(message).await.is_err() {
            return;
        }
    }
}
