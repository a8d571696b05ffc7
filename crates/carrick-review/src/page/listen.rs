//! The connections: how many, and how long one may take to say what it wants.

use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::owner;

/// Connections at once. One more is closed at once: a browser has six for each page, and asks again.
const CONNECTIONS: usize = 128;

/// How long the head of a request may take, so that one who says nothing takes no place from others.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);

/// A pause after the system could not accept, so that a lack of file handles does not become a spinning core.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

pub(super) async fn serve(listener: TcpListener, router: Router) {
    // Dropped with this task, and then ends every connection.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((_, peer)) if owner::is_somebody_else(peer) => {
                    tracing::warn!("somebody else on this machine knocked at the page");
                }
                Ok((stream, _)) if connections.len() < CONNECTIONS => {
                    connections.spawn(connection(stream, router.clone()));
                }
                Ok(_) => tracing::warn!("too many connections to the page"),
                Err(error) => {
                    tracing::warn!(%error, "cannot accept on the page's port");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE);
    let service = TowerToHyperService::new(router);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), service).await {
        tracing::debug!(%error, "a connection to the page ended");
    }
}
