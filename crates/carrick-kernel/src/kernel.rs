//! One kernel, and the task that alone talks to it: one piece of code after the other.
//!
//! The task goes on when a caller has gone: it interrupts what that caller had started and is then free for the next.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::Signal;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::connection::{self, is_listening};
use crate::spec::{Interrupt, Launch};
use crate::start::Process;
use crate::wires::{Wires, published};
use crate::{KernelError, Output, Places};

/// Pieces of code that may wait for a kernel. The next caller waits for a place.
const WAITING: usize = 1;

/// How long a kernel that is to be attached may take to listen, and between two looks.
const ATTACH_WITHIN: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);
/// How long an orderly end may take.
const CLOSE_WITHIN: Duration = Duration::from_secs(4);

/// Between the loss of a kernel's connection and the end of its process.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// What came of a piece of code.
pub(crate) struct Ran {
    pub(crate) outputs: Vec<Output>,
    /// The kernel is gone.
    pub(crate) died: bool,
}

pub(crate) struct Job {
    pub(crate) code: String,
    pub(crate) answer: oneshot::Sender<Ran>,
}

/// Whose kernel it is.
pub(crate) enum Body {
    /// Ours: it ends with us.
    Ours(Box<Process>),
    /// Somebody else's: it is never ended.
    Theirs,
}

impl Body {
    /// Waits for the death of a kernel of ours; what can be said of it. Of another one only the connection is lost.
    pub(crate) async fn death(&mut self) -> String {
        match self {
            Self::Ours(process) => {
                let status = process.child.wait().await;
                let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
                format!("the kernel died ({how})")
            }
            Self::Theirs => std::future::pending().await,
        }
    }

    /// Why the connection was lost, as far as it can be known.
    pub(crate) async fn lost(&mut self, why: &str) -> String {
        match timeout(LAST_BREATH, self.death()).await {
            Ok(death) => death,
            Err(_) => format!("the kernel was ended or restarted ({why})"),
        }
    }

    pub(crate) async fn interrupt(&self, wires: &mut Wires) {
        match self {
            Self::Ours(process) if process.interrupt == Interrupt::Signal => process.signal(Signal::INT),
            _ => {
                wires.interrupt().await;
            }
        }
    }
}

/// A kernel that is there.
pub(crate) struct Kernel {
    /// What it is, for people.
    pub(crate) what: String,
    /// Its process, when it is ours.
    pub(crate) pid: Option<u32>,
    jobs: mpsc::Sender<Job>,
    task: JoinHandle<()>,
    unsaid: Unsaid,
}

/// A death that nobody has been told of yet.
pub(crate) type Unsaid = Arc<Mutex<Option<String>>>;

impl Kernel {
    /// Starts one.
    pub(crate) async fn start(
        launch: &Launch,
        places: &Places,
        folder: &std::path::Path,
    ) -> Result<Self, KernelError> {
        let process = Process::start(launch, places, folder).await?;
        let wires = Wires::connect(&process.file.info).await;
        let wires = wires.map_err(|why| KernelError::Wire { what: launch.what.clone(), why })?;
        Ok(Self::alive(launch.what.clone(), wires, Body::Ours(Box::new(process))))
    }

    /// Attaches to the one of a connection file.
    pub(crate) async fn attach(what: String, file: &std::path::Path) -> Result<Self, KernelError> {
        let info = connection::read(file)?;
        let unreachable = |why: String| KernelError::Wire { what: what.clone(), why };
        // It may be just starting.
        let until = Instant::now() + ATTACH_WITHIN;
        while !is_listening(&info).await {
            if Instant::now() > until {
                return Err(unreachable(format!("nobody listens where {} says", file.display())));
            }
            sleep(LOOK).await;
        }
        let wires = Wires::connect(&info).await.map_err(unreachable)?;
        Ok(Self::alive(what, wires, Body::Theirs))
    }

    fn alive(what: String, wires: Wires, body: Body) -> Self {
        let (jobs, queue) = mpsc::channel(WAITING);
        let pid = match &body {
            Body::Ours(process) => process.child.id(),
            Body::Theirs => None,
        };
        let unsaid = Unsaid::default();
        let task = tokio::spawn(Life { wires, body, queue, unsaid: Arc::clone(&unsaid) }.live());
        Self { what, pid, jobs, task, unsaid }
    }

    /// True while it can be used.
    pub(crate) fn is_alive(&self) -> bool {
        !self.task.is_finished() && !self.jobs.is_closed()
    }

    /// Waits for the end of a kernel that takes no more code.
    pub(crate) async fn gone(&self) {
        self.jobs.closed().await;
    }

    /// Runs code; `None` when the kernel went before it came to it. Dropping this future interrupts the code.
    pub(crate) async fn run(&self, code: String) -> Option<Ran> {
        let (answer, ran) = oneshot::channel();
        self.jobs.send(Job { code, answer }).await.ok()?;
        ran.await.ok()
    }

    /// What nobody has been told yet.
    pub(crate) fn unsaid(&self) -> Option<String> {
        self.unsaid.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Ends it if it is ours, and waits for that.
    pub(crate) async fn close(self) {
        drop(self.jobs);
        let mut task = self.task;
        // It may be busy with code that nobody can interrupt: then the process goes with the task.
        if timeout(CLOSE_WITHIN, &mut task).await.is_err() {
            task.abort();
            let _ = task.await;
        }
    }
}

/// The task of a kernel.
pub(crate) struct Life {
    pub(crate) wires: Wires,
    pub(crate) body: Body,
    queue: mpsc::Receiver<Job>,
    unsaid: Unsaid,
}

impl Life {
    async fn live(mut self) {
        loop {
            tokio::select! {
                // A death is noticed before new code is taken.
                biased;
                death = self.body.death() => {
                    self.not_said(death);
                    break;
                }
                job = self.queue.recv() => match job {
                    Some(job) if job.answer.is_closed() => {}
                    Some(job) => if !self.work(job).await { break },
                    None => break,
                },
                // What others do with the kernel is read and forgotten, so that it does not pile up.
                heard = published(&mut self.wires.iopub, &mut self.wires.events) => if let Err(why) = heard {
                    let death = self.body.lost(&why).await;
                    self.not_said(death);
                    break;
                },
            }
        }
        self.end().await;
    }

    /// Runs one piece; false when the kernel is gone.
    async fn work(&mut self, mut job: Job) -> bool {
        let ran = self.run(&job.code, &mut job.answer).await;
        let alive = !ran.died;
        if let Err(ran) = job.answer.send(ran)
            && let (true, Some(Output::Error(words))) = (ran.died, ran.outputs.last())
        {
            self.not_said(words.clone());
        }
        alive
    }

    fn not_said(&self, words: String) {
        *self.unsaid.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
    }

    async fn end(mut self) {
        if let Body::Ours(process) = self.body {
            self.wires.shut_down().await;
            process.end().await;
        }
    }
}
