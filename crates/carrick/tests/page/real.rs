//! Scenes with the real CLI at the other end: the model's part is scripted, everything else is what a person has.

use std::path::PathBuf;

use carrick_testkit::api::Script;
use carrick_testkit::claude::Session;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::play::{Stagehand, play};
use crate::stage::{SOON, Stage};
use crate::world::Server;

const OLD: &str = "one\ntwo\nthree\nfour\nfive\n";

struct Real {
    stage: Stage,
    file: PathBuf,
    server: Server,
    session: Session,
}

impl Real {
    /// The model rewrites the file; the CLI asks us first.
    async fn change(&mut self, contents: &Value) {
        let (file, read) = (&self.file, json!({"file_path": self.file}));
        let write = json!({"file_path": file, "content": contents});
        self.stage.api.add(Script::when("change it").uses("Read", read).uses("Write", write).says("Done."));
        self.session.submit("change it").await.unwrap();
        self.stage.proposed(&mut self.server).await;
    }
}

impl Stagehand for Real {
    async fn answer(&mut self, ask: &str, with: &Value) -> Value {
        match ask {
            "address" => return self.server.ready["page"].clone(),
            "change" => self.change(with).await,
            "done" => {
                self.session.wait_for_text("Done.", SOON).await.unwrap();
            }
            "rejected" => {
                let words = ["rejected", "Interrupted"];
                let seen = |screen: &str| words.iter().any(|word| screen.contains(word));
                self.session.wait_until(|screen| seen(screen), SOON).await.unwrap();
            }
            "file" => return json!(std::fs::read_to_string(&self.file).unwrap()),
            _ => panic!("the stagehand cannot {ask}"),
        }
        Value::Null
    }
}

async fn real(name: &str) {
    let (stage, file, server, session) = Stage::connected("a.txt", OLD).await;
    let mut like = Command::new("true");
    like.env_clear().envs(stage.home.env());
    play(name, &like, &mut Real { stage, file, server, session }).await;
}

#[tokio::test]
async fn the_real_cli_writes_what_the_page_accepts() {
    real("real_accept").await;
}

#[tokio::test]
async fn the_real_cli_writes_the_chunks_the_page_accepts() {
    real("real_chunk").await;
}

#[tokio::test]
async fn the_real_cli_writes_nothing_the_page_rejects() {
    real("real_reject").await;
}
