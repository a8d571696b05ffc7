//! The same bytes to everyone, through one bounded queue each: what a push costs with nothing around it.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::{accept, announce, carricks_config, listen, obey};
use crate::messages;

/// As long as carrick's. One that is full loses the message.
const QUEUE: usize = 128;

type Queues = Arc<Mutex<Vec<mpsc::Sender<Utf8Bytes>>>>;

pub(super) async fn run() -> Result<()> {
    let listener = listen().await?;
    announce(listener.local_addr()?.port(), "")?;
    let queues = Queues::default();
    let seats = Arc::clone(&queues);
    tokio::select! {
        () = accept(listener, move |stream| seat(stream, Arc::clone(&seats))) => {}
        () = obey(async |number| push(&queues, number)) => {}
    }
    Ok(())
}

fn push(queues: &Queues, number: u64) {
    let message = messages::selection_changed(number);
    for queue in queues.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let _ = queue.try_send(message.clone());
    }
}

async fn seat(stream: TcpStream, queues: Queues) {
    let Ok(mut socket) = accept_async_with_config(stream, Some(carricks_config())).await else { return };
    let (sender, mut queue) = mpsc::channel(QUEUE);
    queues.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
    loop {
        tokio::select! {
            Some(text) = queue.recv() => if socket.send(Message::Text(text)).await.is_err() { return },
            message = socket.next() => if !matches!(message, Some(Ok(_))) { return },
        }
    }
}
