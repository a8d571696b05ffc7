//! `carrick review show`: the change as a diff with numbered hunks.

use carrick_editors::link::protocol::{
    Before, DiffLine, HunkLine, Mark, ReviewShow, ReviewShowParams, ReviewShowReply,
};

use crate::exit::{Exit, Failure};
use crate::join::{Shell, short};
use crate::print::{Line, Out, Tone};

pub(super) async fn show(id: Option<u64>, proposed: bool, json: bool) -> Result<Exit, Failure> {
    let mut shell = Shell::join().await?;
    let shown = shell.ask::<ReviewShow>(&ReviewShowParams { id, context: None }).await?;
    let out = Out::new();
    if json {
        out.json(&shown);
    } else if proposed {
        out.exactly(&shown.proposed);
    } else {
        let path = short(&shown.review.path, &shell.here);
        lines(&shown, &path).iter().for_each(|line| out.line(line));
    }
    Ok(Exit::Done)
}

fn lines(shown: &ReviewShowReply, path: &str) -> Vec<Line> {
    let review = &shown.review;
    let state = review.outcome.map_or("waits", |end| end.words());
    let mut lines = vec![
        Line::of(Tone::Strong, format!("review {}", review.id))
            .and(Tone::Dim, format!("  {}  {state}", review.client_name)),
        Line::of(
            Tone::Bad,
            format!("--- {}", if review.before == Before::Missing { "(no file)" } else { path }),
        ),
        Line::of(Tone::Good, format!("+++ {path}")),
    ];
    if review.before == Before::Binary {
        lines.push(Line::of(
            Tone::Note,
            "the file is not text now; `--proposed` prints what would replace it",
        ));
    }
    lines.extend(shown.hunks.iter().flat_map(hunk));
    lines
}

fn hunk(hunk: &HunkLine) -> Vec<Line> {
    let count = |gone: Mark| hunk.lines.iter().filter(|line| line.mark != gone).count();
    let (old, new) = (count(Mark::Added), count(Mark::Removed));
    let head = format!("@@ -{},{old} +{},{new} @@", hunk.old_line, hunk.new_line);
    let head = Line::of(Tone::Note, format!("hunk {} ", hunk.number)).and(Tone::Dim, head);
    [head].into_iter().chain(hunk.lines.iter().flat_map(diff_line)).collect()
}

fn diff_line(line: &DiffLine) -> Vec<Line> {
    let (tone, mark) = match line.mark {
        Mark::Same => (Tone::Plain, ' '),
        Mark::Removed => (Tone::Bad, '-'),
        Mark::Added => (Tone::Good, '+'),
    };
    let text = line.text.strip_suffix('\n');
    let shown = Line::of(tone, format!("{mark}{}", text.unwrap_or(&line.text)));
    let open_end = text.is_none().then(|| Line::of(Tone::Dim, "\\ no newline at the end of the file"));
    [shown].into_iter().chain(open_end).collect()
}
