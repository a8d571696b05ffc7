//! Scenes with an agent that is played, frame for frame.

use std::time::Duration;

use carrick_testkit::ide_client::IdeClient;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::play::{Stagehand, play};
use crate::world::{PATIENCE, Server, World, finish};

struct Scripted {
    world: World,
    server: Server,
    client: Option<IdeClient>,
}

impl Scripted {
    async fn set() -> Self {
        let world = World::new();
        let server = world.serve().await;
        let client = Some(world.client(&server).await);
        Self { world, server, client }
    }

    fn client(&self) -> &IdeClient {
        self.client.as_ref().expect("an agent is connected")
    }

    /// Proposes a change of a file and waits until the desk has it.
    async fn propose(&mut self, with: &Value) -> Value {
        let name = with["name"].as_str().unwrap();
        let path = self.world.work().join(name);
        let arguments = json!({
            "old_file_path": path, "new_file_path": path, "new_file_contents": with["contents"], "tab_name": name,
        });
        let call = self.client().begin_call("openDiff", arguments).await.unwrap();
        self.server.event("review_opened").await;
        call
    }

    /// What the agent hears about its proposal.
    async fn outcome(&self, call: &Value) -> Value {
        let reply = self.client().reply(call, PATIENCE).await.unwrap();
        let blocks = reply["result"]["content"].as_array().unwrap_or_else(|| panic!("{reply}"));
        blocks.iter().map(|block| block["text"].clone()).collect()
    }

    async fn address(&self) -> Value {
        let mut command = self.world.command(&["review", "--open", "--json"]);
        command.env("BROWSER", "true");
        let done = finish(command).await;
        assert_eq!(done.code, 0, "{}", done.err);
        serde_json::from_str::<Value>(&done.out).unwrap()["address"].clone()
    }

    async fn stop(&mut self) {
        self.client = None;
        self.server.signal(Signal::KILL);
        self.server.ended().await;
    }

    async fn start(&mut self) {
        self.server = self.world.serve().await;
        self.client = Some(self.world.client(&self.server).await);
    }
}

impl Stagehand for Scripted {
    async fn answer(&mut self, ask: &str, with: &Value) -> Value {
        match ask {
            "ready" => self.server.ready.clone(),
            "address" => self.address().await,
            "work" => json!(self.world.work()),
            "write" => {
                let bytes = match with["text"].as_str() {
                    Some(text) => text.as_bytes().to_vec(),
                    None => serde_json::from_value(with["bytes"].clone()).unwrap(),
                };
                let path = self.world.write(with["name"].as_str().unwrap(), "");
                std::fs::write(path, bytes).unwrap();
                Value::Null
            }
            "propose" => self.propose(with).await,
            "outcome" => self.outcome(with).await,
            "pending" => {
                let waits = self.client().reply(with, Duration::from_millis(300)).await.is_err();
                json!(waits)
            }
            "close" => self.client().call("close_tab", json!({"tab_name": with})).await.unwrap(),
            "leave" => {
                self.client = None;
                Value::Null
            }
            "select" => self.world.json(&["select", with.as_str().unwrap(), "--json"]).await,
            "reviews" => self.world.json(&["review", "list", "--all", "--json"]).await,
            "stop" => {
                self.stop().await;
                Value::Null
            }
            "start" => {
                self.start().await;
                Value::Null
            }
            _ => panic!("the stagehand cannot {ask}"),
        }
    }
}

async fn scripted(name: &str) {
    let mut stagehand = Scripted::set().await;
    let like = stagehand.world.command(&[]);
    play(name, &like, &mut stagehand).await;
}

macro_rules! scenes {
    ($($name:ident),* $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                scripted(stringify!($name)).await;
            }
        )*
    };
}

scenes! {
    accessible,
    closed,
    corner,
    decide,
    hostile,
    keys,
    large,
    look,
    lost,
    strangers,
    two_pages,
}
