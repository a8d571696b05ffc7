//! Jupyter as `cargo xtask test` installs it: the Python with ipykernel, and a JupyterLab on loopback.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};

use crate::family::Family;

/// The folder below `target` where the virtual environment is.
pub const JUPYTER_TOOLS: &str = "tools/jupyter";

/// A server takes a while on a busy machine.
const READY_WITHIN: Duration = Duration::from_secs(90);

/// The virtual environment with ipykernel, matplotlib and JupyterLab. Never a silent skip: without it a test fails.
pub fn environment() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    let folder = target.join(JUPYTER_TOOLS);
    if !folder.join("bin/jupyter-lab").is_file() {
        bail!("no Jupyter below {}; run `cargo xtask test`, which installs it", folder.display());
    }
    folder.canonicalize().context("the folder of Jupyter")
}

/// The variables that keep Jupyter and what it starts inside `home`.
pub fn variables(home: &Path) -> Vec<(&'static str, PathBuf)> {
    vec![
        ("HOME", home.into()),
        ("IPYTHONDIR", home.join("ipython")),
        ("JUPYTER_CONFIG_DIR", home.join("config")),
        ("JUPYTER_DATA_DIR", home.join("data")),
        ("JUPYTER_RUNTIME_DIR", home.join("runtime")),
        ("MPLCONFIGDIR", home.join("matplotlib")),
    ]
}

/// A running JupyterLab. It ends with this value, and all of its kernels do.
pub struct Lab {
    child: Child,
    family: Family,
    port: u16,
    token: String,
}

impl Lab {
    /// Starts one that keeps its files in `home` and shows `root`.
    pub fn start(home: &Path, root: &Path) -> Result<Self> {
        let family = Family::new();
        let (mark, value) = family.env();
        let mut command = Command::new(environment()?.join("bin/jupyter-lab"));
        command.args([
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            "--port=0",
            "--LabApp.news_url=None",
        ]);
        command.arg("--ServerApp.root_dir").arg(root).arg("--IdentityProvider.token=a-token-for-tests");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env(mark, value).envs(variables(home));
        std::fs::create_dir_all(home)?;
        let log = std::fs::File::create(home.join("lab.log"))?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).current_dir(root);
        let child = command.spawn().context("starting jupyter-lab")?;
        let mut lab = Self { child, family, port: 0, token: String::new() };
        lab.wait(home)?;
        Ok(lab)
    }

    /// The server's own file says where it listens.
    fn wait(&mut self, home: &Path) -> Result<()> {
        let until = Instant::now() + READY_WITHIN;
        let file = home.join("runtime").join(format!("jpserver-{}.json", self.child.id()));
        while Instant::now() < until {
            if let Some(info) = std::fs::read(&file).ok().and_then(|text| json_of(&text)) {
                self.port = info["port"].as_u64().unwrap().try_into()?;
                self.token = info["token"].as_str().unwrap().into();
                if self.ask("GET", "/api/status", &Value::Null).is_ok() {
                    return Ok(());
                }
            }
            if let Some(status) = self.child.try_wait()? {
                let log = std::fs::read_to_string(home.join("lab.log")).unwrap_or_default();
                bail!("jupyter-lab ended ({status}):\n{log}");
            }
            // waits: for the next look at the server's file
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("jupyter-lab was not ready after {READY_WITHIN:?}")
    }

    /// Opens a notebook, as a person does in the browser; the id of its kernel.
    pub fn open(&self, notebook: &str) -> Result<String> {
        let body =
            json!({"path": notebook, "name": notebook, "type": "notebook", "kernel": {"name": "python3"}});
        let session = self.ask("POST", "/api/sessions", &body)?;
        Ok(session["kernel"]["id"].as_str().context("the session has no kernel")?.into())
    }

    /// The kernels that run.
    pub fn kernels(&self) -> Result<Value> {
        self.ask("GET", "/api/kernels", &Value::Null)
    }

    /// Restarts a kernel, as a person does in the browser.
    pub fn restart(&self, kernel: &str) -> Result<Value> {
        self.ask("POST", &format!("/api/kernels/{kernel}/restart"), &json!({}))
    }

    /// Ends a kernel.
    pub fn end_kernel(&self, kernel: &str) -> Result<Value> {
        self.ask("DELETE", &format!("/api/kernels/{kernel}"), &Value::Null)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(READY_WITHIN))?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (token, length) = (&self.token, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: token {token}\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").context("no answer from jupyter-lab")?;
        let status = head.split_whitespace().nth(1).unwrap_or_default();
        if !status.starts_with('2') {
            bail!("jupyter-lab answered {status} to {method} {path}: {body}");
        }
        Ok(json_of(body.as_bytes()).unwrap_or_default())
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.family.end(None);
        let _ = self.child.wait();
    }
}

fn json_of(text: &[u8]) -> Option<Value> {
    serde_json::from_slice(text).ok()
}
