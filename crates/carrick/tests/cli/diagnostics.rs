//! What language servers say about an edit reaches the model with its next request, and what is mended does not.

use std::time::{Duration, Instant};

use carrick_testkit::api::Script;
use carrick_testkit::claude::Session;
use carrick_testkit::ide_client::IdeClient;
use carrick_testkit::tools;
use serde_json::json;

use crate::stage::{SOON, Stage};
use crate::tools::lock_token;
use crate::world::Server;

/// Puts the real servers on the path of everything that runs on this stage.
fn install(stage: &Stage) {
    for (tool, program) in [("ruff", "ruff"), ("pyright", "pyright-langserver")] {
        let real = tools::folder(tool).unwrap().join(program);
        std::os::unix::fs::symlink(real, stage.home.root().join("bin").join(program)).unwrap();
    }
}

/// Waits until so many language servers run.
async fn running(stage: &Stage, count: usize) {
    let began = Instant::now();
    loop {
        let status = stage.json(&["status", "--json"]).await;
        let services = status["services"].as_array().cloned().unwrap_or_default();
        if services.iter().filter(|service| service["state"] == "running").count() == count {
            assert!(services.iter().all(|service| service["memory"].as_u64().is_some_and(|bytes| bytes > 0)));
            return;
        }
        assert!(began.elapsed() < SOON, "{status:#}");
        // waits: for another process's servers; its status is all there is to see of them
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Another client asks about another file, until both servers have said what they think of it: they are awake then.
async fn awake(stage: &Stage, server: &Server) {
    let file = stage.home.write("other.py", "import os\nvalue: int = 'text'\n").unwrap();
    let client = IdeClient::connect(server.port(), &lock_token(stage)).await.unwrap();
    client.handshake().await.unwrap();
    let began = Instant::now();
    loop {
        let uri = format!("file://{}", file.display());
        let said = client.call("getDiagnostics", json!({"uri": uri})).await.unwrap().to_string();
        if said.contains("Ruff") && said.contains("Pyright") {
            return;
        }
        assert!(began.elapsed() < SOON, "{said}");
    }
}

/// One edit, accepted; how many times the model has been told of new diagnostics when it has answered.
async fn edit(
    stage: &Stage,
    server: &mut Server,
    session: &mut Session,
    words: [&str; 3],
) -> (usize, String) {
    let [prompt, old, new] = words;
    let file = stage.home.project().join("größe a.py");
    let done = format!("Finished with: {prompt}.");
    let change = json!({"file_path": file, "old_string": old, "new_string": new});
    let script = Script::when(prompt).uses("Read", json!({"file_path": file})).uses("Edit", change);
    stage.api.add(script.says(done.as_str()));
    session.submit(prompt).await.unwrap();
    let id = stage.proposed(server).await;
    stage.carrick(&["review", "accept", &id]).await;
    session.wait_for_text(&done, SOON).await.unwrap();
    let requests = stage.api.conversation();
    let raw = requests.last().map(|request| request.raw.to_string()).unwrap_or_default();
    assert!(raw.contains(prompt));
    (raw.matches("<new-diagnostics>").count(), raw)
}

#[tokio::test]
async fn an_edit_that_breaks_something_is_told_and_one_that_mends_it_is_not() {
    let stage = Stage::set();
    install(&stage);
    stage.home.write("größe a.py", "value: int = 1\nother: int = 2\n").unwrap();
    let mut server = stage.serve().await;
    let mut session = stage.claude(&mut server).await;
    assert!(
        stage.json(&["status", "--json"]).await.get("services").is_none(),
        "nothing is started before it is needed"
    );

    let (told, raw) =
        edit(&stage, &mut server, &mut session, ["warm up", "other: int = 2", "other: int = 3"]).await;
    assert_eq!(told, 0, "{raw}");
    running(&stage, 2).await;
    awake(&stage, &server).await;

    let broken = ["now break it", "other: int = 3", "other: int = 'text'\nprint(nothing)"];
    let (told, raw) = edit(&stage, &mut server, &mut session, broken).await;
    assert_eq!(told, 1, "{raw}");
    let new = raw.split("<new-diagnostics>").nth(1).unwrap_or_default();
    assert!(new.contains("größe a.py") && new.contains("[Line 2:14]") && new.contains("Pyright"), "{new}");
    assert!(new.contains("[Line 3:7]") && new.contains("Undefined name") && new.contains("F821"), "{new}");

    let mended = ["now mend it", "other: int = 'text'\nprint(nothing)", "other: int = 4"];
    let (told, raw) = edit(&stage, &mut server, &mut session, mended).await;
    assert_eq!(told, 1, "only what was told before is still in the conversation: {raw}");
}
