//! The four sockets between us and a kernel.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use jupyter_protocol::{
    ConnectionInfo, JupyterMessage, JupyterMessageContent, KernelInfoRequest, ShutdownRequest,
};
use jupyter_zmq_client::{
    ClientControlConnection, ClientIoPubConnection, ClientShellConnection, ClientStdinConnection,
    RuntimeError, create_client_control_connection, create_client_iopub_connection,
    create_client_shell_connection_with_identity, create_client_stdin_connection_with_identity,
    peer_identity_for_session,
};
use tokio::time::{Instant, timeout, timeout_at};
use zeromq::{Socket, SocketEvent};

use crate::connection::random;

/// How long the sockets may take to connect; the kernel listens already.
const CONNECT: Duration = Duration::from_secs(10);
/// How long we wait to hear what a kernel publishes. One that says nothing is used all the same.
const HEARD_WITHIN: Duration = Duration::from_secs(5);
/// Between two questions that a kernel may not have heard.
const ASK_AGAIN: Duration = Duration::from_millis(300);

/// What happens to a connection.
pub(crate) type Events = BoxStream<'static, SocketEvent>;

pub(crate) struct Wires {
    pub(crate) shell: ClientShellConnection,
    pub(crate) control: ClientControlConnection,
    pub(crate) stdin: ClientStdinConnection,
    pub(crate) iopub: ClientIoPubConnection,
    /// What happens to the connection that is always read.
    pub(crate) events: Events,
}

impl Wires {
    /// Connects, and waits until what the kernel publishes arrives.
    pub(crate) async fn connect(info: &ConnectionInfo) -> Result<Self, String> {
        let connected = timeout(CONNECT, Self::open(info)).await;
        let mut wires =
            connected.map_err(|_| String::from("it does not answer"))?.map_err(|error| error.to_string())?;
        wires.listen().await;
        Ok(wires)
    }

    async fn open(info: &ConnectionInfo) -> Result<Self, RuntimeError> {
        let session = random().map_err(|error| RuntimeError::IoError(error.into()))?;
        // The same identity on both, or a question of the kernel does not find us.
        let identity = peer_identity_for_session(&session)?;
        let mut iopub = create_client_iopub_connection(info, "", &session).await?;
        Ok(Self {
            events: iopub.socket.monitor().boxed(),
            iopub,
            shell: create_client_shell_connection_with_identity(info, &session, identity.clone()).await?,
            stdin: create_client_stdin_connection_with_identity(info, &session, identity).await?,
            control: create_client_control_connection(info, &session).await?,
        })
    }

    /// A subscription takes its time, and what is published before is lost: so we make the kernel publish something
    /// until we hear it. On the control channel, which answers also while somebody else's code runs.
    async fn listen(&mut self) {
        let end = Instant::now() + HEARD_WITHIN;
        while Instant::now() < end {
            let ask: JupyterMessage = KernelInfoRequest {}.into();
            let id = ask.header.msg_id.clone();
            if self.control.send(ask).await.is_err() {
                return;
            }
            let again = Instant::now() + ASK_AGAIN;
            while let Ok(heard) = timeout_at(again, self.iopub.read()).await {
                if heard.is_ok_and(|message| is_about(&message, &id)) {
                    return;
                }
            }
        }
        tracing::debug!("the kernel publishes nothing that we hear");
    }

    /// Asks the kernel to end.
    pub(crate) async fn shut_down(&mut self) -> bool {
        self.control.send(ShutdownRequest { restart: false }.into()).await.is_ok()
    }

    /// Asks the kernel to stop what it does, by message.
    pub(crate) async fn interrupt(&mut self) -> bool {
        self.control.send(jupyter_protocol::InterruptRequest {}.into()).await.is_ok()
    }
}

/// The next thing the kernel publishes; an error when the connection was lost. The socket itself would connect
/// again, but whoever answers then is another kernel and knows nothing of what was asked.
pub(crate) async fn published(
    iopub: &mut ClientIoPubConnection,
    events: &mut Events,
) -> Result<Option<Heard>, String> {
    tokio::select! {
        read = iopub.read() => understood(read),
        () = lost(events) => Err("the connection was lost".into()),
    }
}

async fn lost(events: &mut Events) {
    while let Some(event) = events.next().await {
        if matches!(event, SocketEvent::Disconnected(_)) {
            return;
        }
    }
    std::future::pending().await
}

/// A message: the request it is about, and what it says.
pub(crate) type Heard = (Option<String>, JupyterMessageContent);

/// True when the message is a consequence of the request with this id.
pub(crate) fn is_about(message: &JupyterMessage, id: &str) -> bool {
    message.parent_header.as_ref().is_some_and(|parent| parent.msg_id == id)
}

/// A message; `None` when it was one that nobody understands, which harms nobody.
///
/// # Errors
/// The socket itself is broken.
pub(crate) fn understood(read: Result<JupyterMessage, RuntimeError>) -> Result<Option<Heard>, String> {
    match read {
        Ok(message) => Ok(Some((message.parent_header.map(|parent| parent.msg_id), message.content))),
        Err(RuntimeError::ZmqError(error)) => Err(error.to_string()),
        Err(error) => {
            tracing::debug!(%error, "a message of the kernel is passed over");
            Ok(None)
        }
    }
}
