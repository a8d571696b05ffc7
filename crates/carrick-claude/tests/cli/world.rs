//! A home, an API and options that bring them together.

use std::time::Duration;

use carrick_claude::{Client, Frame, Options, PermissionMode, SystemPrompt};
use carrick_testkit::api::Api;
use carrick_testkit::claude::{Claude, ClaudeHome};

/// Generous: the machine may be busy. Nothing waits this long when all is well.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct World {
    pub(crate) api: Api,
    pub(crate) home: ClaudeHome,
}

impl World {
    pub(crate) fn new() -> Self {
        let api = Api::start().unwrap();
        let home = ClaudeHome::new(&api).unwrap();
        Self { api, home }
    }

    /// The real CLI in this world and nowhere else.
    pub(crate) fn options(&self) -> Options {
        Options::new()
            .program(Claude::find().unwrap().path())
            .clear_env()
            .envs(self.home.env())
            .cwd(self.home.project())
            .system_prompt(SystemPrompt::ClaudeCode)
            .permission_mode(PermissionMode::Manual)
    }

    pub(crate) async fn client(&self, options: Options) -> Client {
        within(Client::start(options)).await.unwrap()
    }

    /// Waits until no process of this world is left.
    pub(crate) async fn is_empty(&self) {
        let gone = async {
            while !self.home.family().pids().is_empty() {
                // waits: for other processes to end, which nothing here can be told of
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let left = tokio::time::timeout(Duration::from_secs(10), gone).await;
        assert!(left.is_ok(), "still there: {:?}", self.home.family().pids());
    }
}

pub(crate) async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, work).await.unwrap()
}

/// Reads until `wanted` accepts a frame, and returns all of them.
pub(crate) async fn until(client: &Client, wanted: impl Fn(&Frame) -> bool) -> Vec<Frame> {
    let mut seen = Vec::new();
    within(async {
        while let Some(frame) = client.receive().await {
            let frame = frame.unwrap();
            let found = wanted(&frame);
            seen.push(frame);
            if found {
                return;
            }
        }
        panic!("the session ended before: {seen:#?}");
    })
    .await;
    seen
}

pub(crate) fn is_result(frame: &Frame) -> bool {
    matches!(frame, Frame::Result(_))
}
