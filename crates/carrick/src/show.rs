//! `carrick open`, `select` and `mention`: what the person shows to the agents.

use carrick_editors::link::protocol::{
    Mention, MentionParams, MentionReply, Open, OpenParams, OpenReply, Select, SelectParams, Span,
};

use crate::exit::{Exit, Failure};
use crate::join::{Shell, short};
use crate::print::{Line, Out};
use crate::screen::numbers;
use crate::target::Target;

pub(crate) async fn open(target: &str, preview: bool, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let target = Target::parse(target, &shell.here)?;
    let text = if target.start.is_some() { target.read()? } else { String::new() };
    let cursor = target.cursor(&text)?;
    let reply = shell
        .ask::<Open>(&OpenParams {
            path: target.path,
            line: cursor.map(|cursor| cursor.line),
            character: cursor.map(|cursor| cursor.character),
            preview,
        })
        .await?;
    report(&shell, "opened", &reply, json);
    Ok(Exit::Done)
}

pub(crate) async fn select(target: &str, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let target = Target::parse(target, &shell.here)?;
    let range = Span::from(target.range(&target.read()?)?);
    let reply = shell.ask::<Select>(&SelectParams { path: target.path, range }).await?;
    report(&shell, "selected", &reply, json);
    Ok(Exit::Done)
}

fn report(shell: &Shell, done: &str, reply: &OpenReply, json: bool) {
    let out = Out::new();
    if json {
        return out.json(reply);
    }
    let lines =
        reply.range.map_or_else(String::new, |range| numbers(range.start.line + 1, range.end.line + 1));
    out.line(&Line::plain(format!("{done} {}{lines}", short(&reply.path, &shell.here))));
}

pub(crate) async fn mention(targets: &[String], client: Option<u64>, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    // All are read before the first is sent: a typing mistake in the last must not leave half a mention.
    let mut mentions = Vec::new();
    for target in targets {
        let target = Target::parse(target, &shell.here)?;
        let lines = target.lines()?;
        let (line_start, line_end) = (lines.map(|lines| lines.0), lines.map(|lines| lines.1));
        mentions.push(MentionParams { path: target.path, line_start, line_end, client });
    }
    let out = Out::new();
    for (params, typed) in mentions.iter().zip(targets) {
        let reply = shell.ask::<Mention>(params).await?;
        if json { out.json(&reply) } else { out.line(&heard(typed, reply)) }
    }
    Ok(Exit::Done)
}

fn heard(typed: &str, reply: MentionReply) -> Line {
    Line::plain(match reply.heard {
        0 => format!("mentioned {typed}; no agent listens yet, it waits for 30 seconds"),
        1 => format!("mentioned {typed}"),
        count => format!("mentioned {typed} to {count} clients"),
    })
}
