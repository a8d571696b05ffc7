//! Listens and says so in a file, the way a lock file is written: what any server's start costs on this machine.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::Result;

use super::{announce, listen, obey};

pub(super) async fn run() -> Result<()> {
    let listener = listen().await?;
    let port = listener.local_addr()?.port();
    let folder = Path::new(".claude/ide");
    fs::create_dir_all(folder)?;
    let temporary = folder.join(format!("{port}.tmp"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(format!(r#"{{"pid":{}}}"#, std::process::id()).as_bytes())?;
    fs::rename(temporary, folder.join(format!("{port}.lock")))?;
    announce(port, "")?;
    obey(async |_| {}).await;
    Ok(())
}
