//! `carrick status`: who is connected, what is selected, what waits.

use carrick_editors::link::protocol::{ClientLine, Empty, PeerLine, Role, ServiceLine, Status, StatusReply};

use crate::exit::{Exit, Failure};
use crate::join::{Shell, short};
use crate::print::{Line, Out, Tone};
use crate::screen::numbers;

pub(crate) async fn status(json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let status = shell.ask::<Status>(&Empty {}).await?;
    let out = Out::new();
    if json {
        out.json(&status);
    } else {
        lines(&status).iter().for_each(|line| out.line(line));
    }
    Ok(Exit::Done)
}

fn lines(status: &StatusReply) -> Vec<Line> {
    let desk = &status.desk;
    let mut lines = vec![
        Line::of(Tone::Strong, desk.root.display().to_string()),
        row("host", format!("process {}, carrick {}, {} dialect", desk.pid, desk.carrick, desk.dialect)),
        row("port", desk.port.to_string()),
    ];
    lines.extend(desk.lock_files.iter().map(|file| row("lock file", file.display().to_string())));
    lines.extend(desk.folders.iter().skip(1).map(|folder| row("folder", folder.display().to_string())));
    lines.extend(status.clients.iter().map(client));
    if status.clients.is_empty() {
        lines.push(row("client", "none; `claude --ide` in this folder connects one"));
    }
    lines.extend(status.peers.iter().filter(|peer| peer.role != Role::Shell).map(peer));
    if let Some(selection) = &status.selection {
        let (first, last) = (selection.range.start.line + 1, selection.range.end.line + 1);
        lines.push(row("selected", short(&selection.path, &desk.root) + &numbers(first, last)));
    }
    lines.extend(status.tabs.iter().map(|tab| row("open", short(&tab.path, &desk.root))));
    lines.extend(status.services.iter().map(|line| service(line, &desk.root)));
    lines.push(waiting(status.waiting));
    if status.left_behind > 0 {
        let words = format!("{} left behind by a lost connection", status.left_behind);
        lines.push(row("", words).and(Tone::Dim, "  carrick review list --all"));
    }
    lines
}

fn row(name: &str, value: impl Into<String>) -> Line {
    Line::of(Tone::Dim, format!("{name:<10}")).and(Tone::Plain, value)
}

fn client(client: &ClientLine) -> Line {
    let pid = client.pid.map_or_else(String::new, |pid| format!(", process {pid}"));
    let line = row("client", format!("{} {}{pid}", client.id, client.name));
    match (client.ready, client.responsive) {
        (_, false) => line.and(Tone::Bad, " does not answer"),
        (false, _) => line.and(Tone::Note, " is greeting"),
        (true, true) => line,
    }
}

fn peer(peer: &PeerLine) -> Line {
    let role = if peer.role == Role::Editor { "editor" } else { "viewer" };
    row(role, format!("{}, process {}", peer.name, peer.pid))
}

fn service(service: &ServiceLine, root: &std::path::Path) -> Line {
    let line = row("server", service.name.clone());
    let folder = service.root.as_deref().filter(|folder| *folder != root);
    let folder = folder.map_or_else(String::new, |folder| format!(" in {}", short(folder, root)));
    let note = service.note.clone().unwrap_or_default();
    match service.state.as_str() {
        "running" => {
            let memory =
                service.memory.map_or_else(String::new, |bytes| format!(", {} MB", bytes / 1_000_000));
            let cpu = service.cpu_ms.map_or_else(String::new, |cpu| {
                format!(", {}.{} s of processor", cpu / 1000, cpu % 1000 / 100)
            });
            let pid = service.pid.map_or_else(String::new, |pid| format!(", process {pid}"));
            line.and(Tone::Plain, format!("{folder}{pid}{memory}{cpu}"))
        }
        "missing" => line.and(Tone::Note, " is not installed").and(Tone::Dim, format!("  {note}")),
        "failed" => line.and(Tone::Bad, format!("{folder} {note}")),
        state => line.and(Tone::Note, format!("{folder} is {state}")).and(Tone::Dim, format!("  {note}")),
    }
}

fn waiting(count: usize) -> Line {
    match count {
        0 => row("reviews", "none waits"),
        _ => {
            row("reviews", "").and(Tone::Note, format!("{count} waiting")).and(Tone::Dim, "  carrick review")
        }
    }
}
