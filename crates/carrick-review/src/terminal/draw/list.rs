//! The list of reviews.

use std::time::{Duration, SystemTime};

use ratatui::layout::Rect;
use ratatui::text::Span;

use super::Pen;
use crate::terminal::paint::{fitted, fitted_end};
use crate::terminal::palette::Role;
use crate::terminal::room::{Room, Shelf};
use crate::terminal::source::{Entry, Size};

/// How many rows the list takes: all reviews if there are few, a quarter of the screen if there are many.
pub(super) fn height(room: &Room, screen: u16) -> u16 {
    let listed = u16::try_from(room.listed().len()).unwrap_or(u16::MAX);
    listed.min((screen / 4).max(1))
}

pub(super) fn draw(room: &Room, pen: &mut Pen<'_>, area: Rect) {
    let listed = room.listed();
    let here = listed.iter().position(|entry| Some(entry.id) == room.shown).unwrap_or(0);
    let height = usize::from(area.height);
    let top = (here + 1).saturating_sub(height);
    let names = listed.iter().map(|entry| Span::raw(fitted(&room.short(&entry.path), 60)).width());
    let name_width = names.max().unwrap_or(0).min(usize::from(area.width).saturating_sub(40).max(12));
    for (entry, row) in listed.iter().skip(top).take(height).zip(0..) {
        let spans = line(room, pen, entry, name_width);
        pen.row(area, row, spans);
    }
}

fn line(room: &Room, pen: &Pen<'_>, entry: &Entry, name_width: usize) -> Vec<Span<'static>> {
    let shown = Some(entry.id) == room.shown;
    let name = fitted_end(&room.short(&entry.path), name_width);
    let pad = name_width.saturating_sub(Span::raw(name.as_str()).width());
    let (mark, role) = if shown { ("›", Role::Strong) } else { (" ", Role::Plain) };
    let mut spans = vec![pen.span(role, format!("{mark} {:>2}  {name}{}  ", entry.id, " ".repeat(pad)))];
    spans.extend(size(pen, entry.size));
    let touched = room.views.get(&entry.id).filter(|view| view.is_edited());
    if touched.is_some() {
        spans.push(pen.span(Role::Note, "  edited"));
    }
    let end = match (room.shelf, entry.end) {
        (Shelf::History, Some(end)) => format!("  {}", end.words()),
        _ => format!("  {}", age(entry.opened)),
    };
    spans.push(pen.span(Role::Dim, format!("  {}{end}", fitted(&entry.client, 24))));
    spans
}

/// `+4 −1`, in as much room as most take, so that the columns stand below each other.
pub(super) fn size(pen: &Pen<'_>, size: Size) -> Vec<Span<'static>> {
    let (added, removed) = match size {
        Size::Lines(added, removed) => (format!("+{added}"), format!("−{removed}")),
        Size::NewFile(added) => (format!("+{added}"), "new".into()),
        Size::NotText => (String::new(), "not text".into()),
        Size::Unknown => (String::new(), "large".into()),
    };
    let second = if matches!(size, Size::Lines(..)) { Role::Removed } else { Role::Dim };
    vec![pen.span(Role::Added, format!("{added:>5}")), pen.span(second, format!(" {removed:<5}"))]
}

/// How long ago, as coarse as a person thinks.
fn age(opened: SystemTime) -> String {
    let age = SystemTime::now().duration_since(opened).unwrap_or(Duration::ZERO).as_secs();
    match age {
        0..60 => "now".into(),
        60..3600 => format!("{} min", age / 60),
        3600..86400 => format!("{} h", age / 3600),
        _ => format!("{} d", age / 86400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_coarse() {
        let ago = |seconds| age(SystemTime::now() - Duration::from_secs(seconds));
        let ages = [ago(3), ago(61), ago(7300), ago(200_000)];
        assert_eq!(ages, ["now", "1 min", "2 h", "2 d"]);
    }
}
