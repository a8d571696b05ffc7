//! The picture of the room: a title, the list, the review, and two lines of what there is to know and to press.

mod body;
mod list;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::paint::fitted;
use super::palette::{Palette, Role};
use super::room::keys::KEYS;
use super::room::{Dialog, Room, Shelf};

/// Below this nothing can be read, let alone decided.
const SMALLEST: (u16, u16) = (30, 8);

/// A pen on one row.
pub(super) struct Pen<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) palette: Palette,
}

impl Pen<'_> {
    /// A piece of text in the look of a role.
    pub(super) fn span(&self, role: Role, text: impl Into<String>) -> Span<'static> {
        Span::styled(text.into(), self.palette.style(role))
    }

    /// Writes a line on a row, not further than the area goes.
    pub(super) fn row(&mut self, area: Rect, row: u16, spans: Vec<Span<'static>>) {
        if row < area.height {
            self.buffer.set_line(area.x, area.y + row, &Line::from(spans), area.width);
        }
    }

    /// Fills a row with a look.
    pub(super) fn fill(&mut self, area: Rect, row: u16, role: Role) {
        let area = Rect { y: area.y + row, height: 1, ..area };
        self.buffer.set_style(area.intersection(*self.buffer.area()), self.palette.style(role));
    }
}

/// Draws everything.
pub(super) fn draw(room: &mut Room, buffer: &mut Buffer, palette: Palette) {
    let area = *buffer.area();
    let mut pen = Pen { buffer, palette };
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let span = pen.span(Role::Plain, fitted("too small", usize::from(area.width)));
        return pen.row(area, 0, vec![span]);
    }
    title(room, &mut pen, area);
    let rows = list::height(room, area.height);
    let inner = Rect { y: area.y + 1, height: rows, ..area };
    list::draw(room, &mut pen, inner);
    let body = Rect { y: inner.bottom(), height: area.height - 3 - rows, ..area };
    match room.dialog {
        Some(Dialog::Help) => help(&mut pen, body),
        _ => body::draw(room, &mut pen, body),
    }
    let foot = Rect { y: area.bottom() - 2, height: 2, ..area };
    status(room, &mut pen, foot);
    keys(room, &mut pen, foot);
}

fn title(room: &Room, pen: &mut Pen<'_>, area: Rect) {
    let name = room.root.file_name().map_or_else(|| "/".into(), |name| name.to_string_lossy().into_owned());
    let ended = room.entries.len() - room.waiting();
    let right = match (room.shelf, room.waiting()) {
        (Shelf::Waiting, 0) => "nothing waits".into(),
        (Shelf::Waiting, count) => format!("{count} waiting"),
        (Shelf::History, count) => format!("history of this run: {ended} · {count} waiting"),
    };
    let room_left = usize::from(area.width).saturating_sub(right.len() + 12);
    let left = format!("carrick · {}", fitted(&name, room_left));
    let gap = usize::from(area.width)
        .saturating_sub(Span::raw(left.as_str()).width() + Span::raw(right.as_str()).width());
    let role = if room.waiting() > 0 { Role::Note } else { Role::Dim };
    let spans =
        vec![pen.span(Role::Strong, left), pen.span(Role::Plain, " ".repeat(gap)), pen.span(role, right)];
    pen.row(area, 0, spans);
}

/// What wants to be said, or else how things stand.
fn status(room: &Room, pen: &mut Pen<'_>, area: Rect) {
    let width = usize::from(area.width);
    if room.dialog == Some(Dialog::Quit) {
        let words = match room.waiting() {
            1 => "A review waits, and an agent with it. End the server?  y  n".to_owned(),
            count => format!("{count} reviews wait, and agents with them. End the server?  y  n"),
        };
        let span = pen.span(Role::Note, fitted(&words, width));
        return pen.row(area, 0, vec![span]);
    }
    if let Some(note) = &room.note {
        let span = pen.span(Role::Note, fitted(&note.words, width));
        return pen.row(area, 0, vec![span]);
    }
    let clients = match room.status.clients.as_slice() {
        [] => "no agent is connected".to_owned(),
        [one] => one.clone(),
        [first, ..] => format!("{} clients, {first} and others", room.status.clients.len()),
    };
    let selected = room.status.selection.as_ref().map_or_else(String::new, |(path, first, last)| {
        let lines = if first == last { format!(":{first}") } else { format!(":{first}-{last}") };
        format!(" · selected {}{lines}", room.short(path))
    });
    let words = format!("port {} · {clients}{selected}", room.status.port);
    let span = pen.span(Role::Dim, fitted(&words, width));
    pen.row(area, 0, vec![span]);
}

/// The keys that do something now; the last two are always there, the others as far as there is room.
fn keys(room: &Room, pen: &mut Pen<'_>, area: Rect) {
    let always = [("?", "help"), ("q", "quit")];
    let width = |(key, meaning): &(&str, &str)| Span::raw(*key).width() + meaning.len() + 3;
    let mut left = usize::from(area.width).saturating_sub(always.iter().map(width).sum());
    let mut shown = useful_keys(room);
    shown.retain(|key| {
        let fits = width(key) <= left;
        left -= if fits { width(key) } else { left };
        fits
    });
    let mut spans = Vec::new();
    for (key, meaning) in shown.into_iter().chain(always) {
        spans.push(pen.span(Role::Strong, key));
        spans.push(pen.span(Role::Dim, format!(" {meaning}  ")));
    }
    pen.row(area, 1, spans);
}

fn useful_keys(room: &Room) -> Vec<(&'static str, &'static str)> {
    let mut shown = Vec::new();
    let waits = room.entry_shown().is_some_and(|entry| entry.end.is_none());
    if room.may_decide() {
        shown.extend([("a", "accept"), ("r", "reject")]);
    }
    if room.listed().len() > 1 {
        shown.push(("← →", "review"));
    }
    if waits && room.view().is_some() {
        shown.extend([("n p", "hunk"), ("space", "choose"), ("e", "edit")]);
    } else if room.view().is_some() {
        shown.extend([("c", "copy"), ("w", "write to a file")]);
    }
    if room.view().is_some() {
        shown.push(("Tab", "view"));
    }
    shown.push(("h", if room.shelf == Shelf::Waiting { "history" } else { "back" }));
    shown
}

fn help(pen: &mut Pen<'_>, area: Rect) {
    let heading = pen.span(Role::Strong, "Keys");
    pen.row(area, 1, vec![heading]);
    for ((key, meaning), row) in KEYS.iter().zip(2..) {
        let spans = vec![pen.span(Role::Note, format!("{key:>17}  ")), pen.span(Role::Plain, *meaning)];
        pen.row(area, row, spans);
    }
    let rows = u16::try_from(KEYS.len()).unwrap_or(u16::MAX);
    let end = pen.span(Role::Dim, "any key goes back");
    pen.row(area, rows.saturating_add(3), vec![end]);
}
