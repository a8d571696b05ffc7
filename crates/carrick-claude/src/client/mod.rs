//! A conversation with the CLI: prompts and control requests in, frames out, questions answered meanwhile.

mod ask;
mod inbox;
mod inspect;
mod mcp;
mod pending;
mod reader;
mod request;
mod run;
mod serve;
mod unasked;

use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use crate::error::{Error, Result};
use crate::frame::{AssistantError, Content, Frame, TurnResult, User};
use crate::json::Raw;
use crate::options::Options;
use crate::process::{LastWords, Process};
use crate::reply::Initialized;
use inbox::Inbox;
use pending::Pending;
use request::ANSWER;
use run::Run;
use serve::Service;

/// Lines for the CLI; when it is full, whoever wants to say something waits.
const OUTGOING: usize = 64;

/// A start takes about a second; the rest is for busy machines and slow MCP servers.
const START: Duration = Duration::from_secs(60);

/// How long a CLI may take to end after its input has ended.
const GRACE: Duration = Duration::from_secs(5);

/// What the writing task is told.
#[derive(Debug)]
enum Outgoing {
    Line(String),
    End,
}

/// A running session. Clones share it; when the last one is dropped, the CLI and everything it started is ended.
///
/// ```no_run
/// # async fn example() -> carrick_claude::Result<()> {
/// use carrick_claude::{Client, Options};
///
/// let client = Client::start(Options::new()).await?;
/// client.send("Which files are here?").await?;
/// let (text, result) = client.answer().await?;
/// println!("{text} ({:?} USD)", result.cost_usd());
/// client.close().await
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    shared: Arc<Shared>,
    _life: Arc<Life>,
}

#[derive(Debug)]
struct Shared {
    inbox: Inbox,
    pending: Pending,
    run: Run,
    service: Service,
    outgoing: mpsc::Sender<Outgoing>,
    line_limit: Option<usize>,
    verbatim: bool,
    answers_requests: bool,
    initialized: std::sync::OnceLock<Initialized>,
    exit: watch::Sender<Option<(Option<i32>, Option<i32>)>>,
    /// Asks the task that holds the process to end it.
    end: watch::Sender<bool>,
    over: watch::Sender<bool>,
}

impl Shared {
    fn new(options: &Options, outgoing: mpsc::Sender<Outgoing>) -> Self {
        Self {
            inbox: Inbox::default(),
            pending: Pending::default(),
            run: Run::default(),
            service: Service::new(options.clone(), outgoing.clone()),
            outgoing,
            line_limit: options.line_limit,
            verbatim: options.verbatim_prompts,
            answers_requests: options.answers_requests(),
            initialized: std::sync::OnceLock::new(),
            exit: watch::Sender::new(None),
            end: watch::Sender::new(false),
            over: watch::Sender::new(false),
        }
    }
}

/// Ends the session's tasks, and with them the process, when the last client is gone.
#[derive(Debug)]
struct Life {
    tasks: Vec<AbortHandle>,
    shared: Arc<Shared>,
}

impl Drop for Life {
    fn drop(&mut self) {
        self.shared.service.cancel_all();
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl Client {
    /// Starts the CLI and waits until it is ready.
    pub async fn start(options: Options) -> Result<Self> {
        let (process, pipes) = Process::start(&options)?;
        let client = Self::on(pipes.stdout, pipes.stdin, pipes.last_words, Some(process), &options);
        client.introduce(&options).await?;
        Ok(client)
    }

    /// Speaks with a CLI that somebody else has started, over what it writes and what it reads: a remote shell, a
    /// container, or the double in [`crate::testing`]. Ending it is then not this crate's business.
    pub async fn over<R, W>(reads: R, writes: W, options: Options) -> Result<Self>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let client = Self::on(reads, writes, LastWords::default(), None, &options);
        client.introduce(&options).await?;
        Ok(client)
    }

    fn on<R, W>(reads: R, writes: W, words: LastWords, process: Option<Process>, options: &Options) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (outgoing, lines) = mpsc::channel(OUTGOING);
        let shared = Arc::new(Shared::new(options, outgoing));
        let mut tasks = vec![
            tokio::spawn(write(writes, lines)).abort_handle(),
            tokio::spawn(reader::read(reads, shared.clone(), words)).abort_handle(),
        ];
        tasks.extend(unasked::relay(&shared));
        match process {
            Some(process) => tasks.push(tokio::spawn(hold(process, shared.clone())).abort_handle()),
            // Nobody can say how it ended, so its silence is an orderly end.
            None => drop(shared.exit.send_replace(Some((Some(0), None)))),
        }
        Self { _life: Arc::new(Life { tasks, shared: shared.clone() }), shared }
    }

    async fn introduce(&self, options: &Options) -> Result<()> {
        let limit = options.start_timeout.unwrap_or(START);
        match self.shared.request("initialize", options.initialize_fields(), limit).await {
            Ok(reply) => {
                let _ = self.shared.initialized.set(reply.parse()?);
                Ok(())
            }
            // It ended before it could answer: how it ended says more.
            Err(Error::Closed) => match self.shared.inbox.pop().await {
                Some(Err(error)) => Err(error),
                Some(Ok(Frame::Result(result))) => {
                    Err(Error::of_turn(&result, self.shared.run.error().as_ref()).unwrap_or(Error::Closed))
                }
                _ => Err(Error::Closed),
            },
            Err(error) => Err(error),
        }
    }

    /// What the CLI said about itself when it started: commands, agents, models, account.
    pub fn initialized(&self) -> &Initialized {
        self.shared.initialized.get_or_init(Initialized::default)
    }

    /// Says something; the answer comes as frames.
    pub async fn send(&self, prompt: impl Into<Content>) -> Result<()> {
        self.send_user(User::prompt(prompt)).await
    }

    /// Says something with everything that can go with it.
    pub async fn send_user(&self, mut user: User) -> Result<()> {
        if self.shared.verbatim {
            user.client_composed = Some(true);
        }
        self.send_frame(&Frame::User(Box::new(user))).await
    }

    /// Any frame, for what this crate does not know. A line that is not a frame would end the CLI.
    pub async fn send_frame(&self, frame: &Frame) -> Result<()> {
        self.shared.write(frame.to_line()?).await
    }

    /// The next frame; none when the session is over. Cancel safe.
    pub async fn receive(&self) -> Option<Result<Frame>> {
        self.shared.inbox.pop().await
    }

    /// Every frame to the session's end, as a stream.
    pub fn frames(&self) -> impl Stream<Item = Result<Frame>> + Send + 'static {
        futures_util::stream::unfold(self.clone(), |client| async move {
            let next = client.receive().await?;
            Some((next, client))
        })
    }

    /// Reads to the end of the turn: the answer as text, and the result. A failed turn is an error.
    pub async fn answer(&self) -> Result<(String, TurnResult)> {
        let mut error: Option<AssistantError> = None;
        while let Some(frame) = self.receive().await {
            match frame? {
                Frame::Assistant(said) => error = said.error.clone().or(error),
                Frame::Result(result) => {
                    return match Error::of_turn(&result, error.as_ref()) {
                        Some(error) => Err(error),
                        None => Ok((result.text(), *result)),
                    };
                }
                _ => {}
            }
        }
        Err(Error::Closed)
    }

    /// A control request by name, for the next one this crate does not know.
    pub async fn control(&self, subtype: &str, fields: Value) -> Result<Raw> {
        let fields = match fields {
            Value::Object(fields) => fields,
            Value::Null => Map::new(),
            _ => return Err(Error::Option("the fields of a control request are an object".into())),
        };
        self.shared.request(subtype, fields, ANSWER).await
    }

    /// Says that nothing more will be said; the CLI finishes what it has and ends.
    pub async fn end_input(&self) -> Result<()> {
        self.shared.outgoing.send(Outgoing::End).await.map_err(|_| Error::Closed)
    }

    /// Ends the session: first politely, after five seconds not.
    pub async fn close(&self) -> Result<()> {
        self.shared.run.ending();
        // The reader may be waiting for a caller who will not come any more.
        self.shared.pending.began.notify_one();
        let _ = self.end_input().await;
        let mut exit = self.shared.exit.subscribe();
        if tokio::time::timeout(GRACE, exit.wait_for(Option::is_some)).await.is_err() {
            self.shared.end.send_replace(true);
            let _ = exit.wait_for(Option::is_some).await;
        }
        Ok(())
    }

    /// Whether no further turn is owed.
    pub fn is_idle(&self) -> bool {
        self.shared.run.is_over()
    }

    /// Waits until no further turn is owed, or the session is over.
    pub async fn idle(&self) {
        let mut over = self.shared.over.subscribe();
        tokio::select! {
            () = self.shared.run.over() => {}
            _ = over.wait_for(|over| *over) => {}
        }
    }

    pub(crate) fn is_between_turns(&self) -> bool {
        self.shared.run.is_between_turns()
    }

    pub(crate) fn answers_requests(&self) -> bool {
        self.shared.answers_requests
    }
}

async fn write<W: AsyncWrite + Unpin>(mut stdin: W, mut lines: mpsc::Receiver<Outgoing>) {
    while let Some(Outgoing::Line(mut line)) = lines.recv().await {
        line.push('\n');
        // The CLI is gone; the reader will say how.
        if stdin.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Holds the process to its end.
async fn hold(mut process: Process, shared: Arc<Shared>) {
    process.guard();
    let mut asked = shared.end.subscribe();
    let status = tokio::select! {
        status = process.wait() => status,
        () = asked_to_end(&mut asked) => process.end().await,
    };
    let exit = status.map_or((None, None), |status| (status.code(), signal(status)));
    shared.exit.send_replace(Some(exit));
}

async fn asked_to_end(asked: &mut watch::Receiver<bool>) {
    if asked.wait_for(|end| *end).await.is_err() {
        // The sender lives as long as the tasks do.
        std::future::pending().await
    }
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> Option<i32> {
    None
}
