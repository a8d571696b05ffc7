//! A Messages API on 127.0.0.1 that answers from scripts and remembers every request.
//!
//! It lives on a thread of its own: a test that blocks cannot starve the CLI that waits for an answer.
//!
//! ```
//! use carrick_testkit::api::{Api, Script, Turn};
//!
//! let api = Api::start().unwrap();
//! api.add(Script::when("greet me").turn(Turn::new().thinking("how?").text("Hello.")));
//! ```

mod answer;
mod choose;
mod http;
mod request;
mod script;
#[cfg(test)]
mod tests;

use std::net::{Ipv4Addr, TcpListener as StdListener};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;

use choose::{Choice, choose};
use http::Connection;
pub use request::Request;
pub use script::{Failure, Gate, Script, Turn};

/// The API; it stops listening when dropped.
#[derive(Debug)]
pub struct Api {
    port: u16,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    scripts: Mutex<Vec<Script>>,
    requests: Mutex<Vec<Request>>,
    /// How many requests there are, for those who wait for one more.
    count: watch::Sender<usize>,
}

impl Api {
    /// Listens on a free port of 127.0.0.1.
    pub fn start() -> Result<Self> {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0)).context("binding a loopback port")?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared::default());
        let (stop, stopped) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let theirs = shared.clone();
        let thread = std::thread::Builder::new()
            .name("scripted-api".into())
            .spawn(move || runtime.block_on(listen(listener, theirs, stopped)))?;
        Ok(Self { port, shared, stop, thread: Some(thread) })
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What `ANTHROPIC_BASE_URL` must say.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Adds a script; among those that fit, the one added first is used.
    pub fn add(&self, script: Script) -> &Self {
        self.shared.scripts.lock().unwrap().push(script);
        self
    }

    /// Every request so far, oldest first.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// The model requests that belong to conversations: no probes, no side requests.
    pub fn conversation(&self) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.is_message() && request.offers_tools()).collect()
    }

    /// The first request, past or to come, that `wanted` accepts.
    pub async fn wait_for_request(
        &self,
        wanted: impl Fn(&Request) -> bool,
        timeout: Duration,
    ) -> Result<Request> {
        let mut count = self.shared.count.subscribe();
        let search = async {
            loop {
                count.borrow_and_update();
                // A copy, so that `wanted` may look at the API itself.
                if let Some(request) = self.requests().into_iter().find(&wanted) {
                    return Ok(request);
                }
                count.changed().await.context("the scripted API has stopped")?;
            }
        };
        match tokio::time::timeout(timeout, search).await {
            Ok(found) => found,
            Err(_) => bail!("no such request within {timeout:?}; the API got:\n{}", self.summary()),
        }
    }

    fn summary(&self) -> String {
        let lines = self.requests().into_iter().map(|one| {
            let shown: String =
                one.raw.chars().rev().take(300).collect::<Vec<_>>().into_iter().rev().collect();
            format!("  {} {} …{shown}", one.method, one.path)
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn listen(listener: StdListener, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let listener = TcpListener::from_std(listener).expect("a listening socket is usable by tokio");
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stop| *stop) => return,
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let _ = stream.set_nodelay(true);
                let shared = shared.clone();
                // Ends with the runtime when the API is dropped; an error here only means the client left.
                tokio::spawn(async move { serve(Connection::new(stream), &shared).await });
            }
        }
    }
}

async fn serve(mut connection: Connection, shared: &Shared) -> Result<()> {
    while let Some(request) = connection.next_request().await? {
        shared.requests.lock().unwrap().push(request.clone());
        shared.count.send_modify(|count| *count += 1);
        answer(&request, &mut connection, shared).await?;
    }
    Ok(())
}

async fn answer(request: &Request, connection: &mut Connection, shared: &Shared) -> Result<()> {
    if request.method == "HEAD" {
        return connection.answer_head(200).await;
    }
    if request.is_message() {
        let choice = choose(&shared.scripts.lock().unwrap(), request);
        let turn = match choice {
            Choice::Scripted(turn) => turn,
            Choice::Plain(text) => Turn::new().text(text),
        };
        return answer::send(&turn, request, connection).await;
    }
    if request.method == "POST" && request.path.starts_with("/v1/messages/count_tokens") {
        return connection.answer(200, &json!({"input_tokens": request.raw.len() / 4})).await;
    }
    let unknown = Failure::new(404, "not_found_error", "the scripted API has nothing here");
    connection.answer(404, &answer::error_body(&unknown)).await
}
