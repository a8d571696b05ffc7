//! The model runs code through the real CLI: in ipykernel, and in the kernel of a notebook open in JupyterLab.

use std::path::{Path, PathBuf};

use carrick_testkit::api::Script;
use carrick_testkit::claude::Session;
use carrick_testkit::jupyter::{Lab, environment};
use carrick_testkit::terminal::Key;
use serde_json::json;

use crate::stage::{SOON, Stage};
use crate::world::{Server, until_within};

const TOOL: &str = "mcp__ide__executeCode";

/// A stage whose project has a virtual environment with ipykernel.
fn stage() -> Stage {
    let stage = Stage::set();
    std::os::unix::fs::symlink(environment().unwrap(), stage.home.project().join(".venv")).unwrap();
    stage
}

/// The person has allowed code in their own configuration.
fn allow(stage: &Stage) {
    let folder = stage.home.home().join(".config/carrick");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "execute_code = \"allow\"\n").unwrap();
}

/// A CLI that may use the tool without asking in its terminal.
async fn claude(stage: &Stage, server: &mut Server) -> Session {
    let arguments = ["--ide", "--permission-mode", "manual", "--allowedTools", TOOL];
    let session = stage.home.interactive(arguments).env("ENABLE_TOOL_SEARCH", "false");
    let session = session.start().await.unwrap();
    server.event("client_ready").await;
    session
}

fn script(prompt: &str, codes: &[&str]) -> Script {
    let script =
        codes.iter().fold(Script::when(prompt), |script, code| script.uses(TOOL, json!({"code": code})));
    script.says("All done.")
}

#[tokio::test]
async fn text_plots_errors_and_input_reach_the_model_after_a_yes() {
    let stage = stage();
    let mut server = stage.serve().await;
    let mut session = claude(&stage, &mut server).await;
    let plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()";
    stage.api.add(script("run it", &["x = 20\nx + 1", plot, "1/0", "input()", "x"]));
    session.submit("run it").await.unwrap();
    let id = stage.proposed(&mut server).await;
    stage.carrick(&["review", "accept", &id]).await;
    session.wait_for_text("All done.", SOON).await.unwrap();
    let last = stage.api.conversation().pop().unwrap();
    let results = last.tool_results();
    let [first, picture, error, input, again] = &results[..] else { panic!("{results:#?}") };
    assert!(first.to_string().contains("21"), "{first}");
    assert!(picture.to_string().contains("image/png"), "{picture}");
    assert_eq!(error["is_error"], true);
    assert!(
        error.to_string().contains("ZeroDivisionError") && !error.to_string().contains("\\u001b"),
        "{error}"
    );
    assert!(input.to_string().contains("input() is not possible here"), "{input}");
    assert!(again.to_string().contains("20"), "state stays: {again}");
}

#[tokio::test]
async fn escape_interrupts_the_kernel() {
    let stage = stage();
    allow(&stage);
    let mut server = stage.serve().await;
    let mut session = claude(&stage, &mut server).await;
    let endless = "x = 6\nopen('begun', 'w').close()\nimport time\ntime.sleep(600)\nx = 0";
    stage.api.add(script("start it", &[endless]));
    session.submit("start it").await.unwrap();
    let begun = stage.home.project().join("begun");
    until_within(SOON, "the code runs", || begun.exists()).await;
    session.press_until(Key::Esc, |screen| screen.contains("Interrupted"), SOON).await.unwrap();
    stage.api.add(script("once more", &["x * 7"]));
    session.submit("once more").await.unwrap();
    session.wait_for_text("All done.", SOON).await.unwrap();
    let last = stage.api.conversation().pop().unwrap();
    let result = last.tool_results().pop().unwrap();
    assert!(result.to_string().contains("42"), "the same kernel, free again: {result}");
}

/// JupyterLab with a notebook of the project open, where carrick finds it.
fn lab(stage: &Stage) -> (Lab, PathBuf) {
    let home = stage.home.root().join("lab");
    let lab = Lab::start(&home, &stage.home.project()).unwrap();
    let kernel = lab.open("analysis.ipynb").unwrap();
    let jupyter = stage.home.home().join(".local/share/jupyter");
    std::fs::create_dir_all(&jupyter).unwrap();
    std::os::unix::fs::symlink(home.join("runtime"), jupyter.join("runtime")).unwrap();
    (lab, home.join(format!("runtime/kernel-{kernel}.json")))
}

/// Runs code in the notebook's kernel with Jupyter's own client, as the notebook's page does.
async fn in_notebook(connection: &Path, code: &str) -> String {
    let client = "import sys, jupyter_client\n\
                  client = jupyter_client.BlockingKernelClient(connection_file=sys.argv[1])\n\
                  client.load_connection_file()\nclient.start_channels()\nclient.wait_for_ready(60)\n\
                  client.execute_interactive(sys.argv[2], timeout=60)";
    let mut command = tokio::process::Command::new(environment().unwrap().join("bin/python3"));
    command.args(["-c", client]).arg(connection).arg(code).env("HOME", connection.parent().unwrap());
    let done = command.output().await.unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

#[tokio::test]
async fn variables_are_shared_with_jupyterlab() {
    let stage = stage();
    allow(&stage);
    let (lab, connection) = lab(&stage);
    in_notebook(&connection, "shared = 41").await;
    let mut server = stage.serve().await;
    let mut session = claude(&stage, &mut server).await;
    stage.api.add(script("look at it", &["shared += 1\nshared"]));
    session.submit("look at it").await.unwrap();
    session.wait_for_text("All done.", SOON).await.unwrap();
    let last = stage.api.conversation().pop().unwrap();
    assert!(last.tool_results()[0].to_string().contains("42"), "{:?}", last.tool_results());
    assert_eq!(in_notebook(&connection, "print(shared)").await, "42\n");
    server.signal(rustix::process::Signal::TERM);
    server.ended().await;
    assert_eq!(lab.kernels().unwrap().as_array().unwrap().len(), 1, "the notebook keeps its kernel");
    assert_eq!(in_notebook(&connection, "print(shared)").await, "42\n");
}
