//! One question, one stream of frames: the session begins with the first and ends after the last.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};

use crate::client::Client;
use crate::error::{Error, Result};
use crate::frame::{Content, Frame};
use crate::options::Options;

/// How long a run may stay open after a result while the CLI says that it still works on something: as long as the
/// CLI itself waits for work in the background.
const CEILING: Duration = Duration::from_secs(600);

/// Asks one question. The CLI starts when the stream is first polled; when the stream ends or is dropped,
/// nothing of it is left.
///
/// ```no_run
/// # async fn example() -> carrick_claude::Result<()> {
/// use carrick_claude::{Frame, Options, query};
///
/// let mut answer = query("What is 2 + 2?", Options::new());
/// while let Some(frame) = answer.next().await {
///     if let Frame::Assistant(said) = frame? {
///         println!("{}", said.content().map(|content| content.text()).unwrap_or_default());
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub fn query(prompt: impl Into<Content>, options: Options) -> Query {
    let first = Stage::Start(prompt.into(), Box::new(options));
    let frames = futures_util::stream::unfold(first, |stage| async move {
        match stage {
            Stage::Start(prompt, options) => match begin(prompt, *options).await {
                Ok(client) => step(client, None).await,
                Err(error) => Some((Err(error), Stage::Over)),
            },
            Stage::Running(client, since) => step(client, since).await,
            Stage::Over => None,
        }
    });
    Query { frames: frames.boxed() }
}

enum Stage {
    Start(Content, Box<Options>),
    /// With the moment its last result came.
    Running(Client, Option<tokio::time::Instant>),
    Over,
}

async fn begin(prompt: Content, options: Options) -> Result<Client> {
    let client = Client::start(options).await?;
    client.send(prompt).await?;
    if !client.answers_requests() {
        // Nothing will be asked of us, so the CLI may know at once that this was all.
        client.end_input().await?;
    }
    Ok(client)
}

async fn step(client: Client, since: Option<tokio::time::Instant>) -> Option<(Result<Frame>, Stage)> {
    let next = match since {
        Some(since) => match tokio::time::timeout_at(since + CEILING, idle_or_frame(&client)).await {
            Ok(next) => next,
            Err(_) => finish(&client).await,
        },
        None => client.receive().await,
    };
    let frame = match next? {
        Ok(frame) => frame,
        Err(error) => return Some((Err(error), Stage::Over)),
    };
    let since = match &frame {
        Frame::Result(_) => Some(tokio::time::Instant::now()),
        _ if client.is_between_turns() => since,
        _ => None,
    };
    Some((Ok(frame), Stage::Running(client, since)))
}

/// The next frame, and meanwhile the end of the input as soon as the run is over.
async fn idle_or_frame(client: &Client) -> Option<Result<Frame>> {
    if client.answers_requests() {
        tokio::select! {
            next = client.receive() => return next,
            () = client.idle() => return finish(client).await,
        }
    }
    client.receive().await
}

async fn finish(client: &Client) -> Option<Result<Frame>> {
    let _ = client.end_input().await;
    client.receive().await
}

/// The answer to [`query`]: a stream of frames.
pub struct Query {
    frames: BoxStream<'static, Result<Frame>>,
}

impl Query {
    /// The next frame; none when the run is over.
    pub async fn next(&mut self) -> Option<Result<Frame>> {
        StreamExt::next(&mut self.frames).await
    }

    /// Reads to the end and returns the last answer; a failed turn is an error.
    pub async fn text(mut self) -> Result<String> {
        let (mut answer, mut refused) = (None, None);
        while let Some(frame) = self.next().await {
            match frame? {
                Frame::Assistant(said) => refused = said.error.clone().or(refused),
                Frame::Result(result) => {
                    let error = Error::of_turn(&result, refused.take().as_ref());
                    answer = Some(error.map_or_else(|| Ok(result.text()), Err));
                }
                _ => {}
            }
        }
        answer.unwrap_or(Err(Error::Closed))
    }
}

impl Stream for Query {
    type Item = Result<Frame>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.frames.poll_next_unpin(context)
    }
}

impl std::fmt::Debug for Query {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Query")
    }
}
