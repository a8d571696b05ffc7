//! What ratatui draws on: the few escape sequences that every terminal has known for decades. The usual backend writes
//! even the first eight colours as numbers of a palette of 256, which a terminal with 16 takes for something else.

use std::fmt::Write as _;
use std::io;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::screen;

/// A picture in the making.
#[derive(Default)]
pub(super) struct Paper {
    text: String,
}

type Look = (Color, Color, Modifier);

impl Paper {
    fn go_to(&mut self, position: Position) {
        let _ = write!(self.text, "\x1b[{};{}H", u32::from(position.y) + 1, u32::from(position.x) + 1);
    }
}

/// The sequence of a look, from nothing.
fn look(text: &mut String, (foreground, background, modifier): Look) {
    text.push_str("\x1b[0");
    let modifiers =
        [(Modifier::BOLD, 1), (Modifier::DIM, 2), (Modifier::UNDERLINED, 4), (Modifier::REVERSED, 7)];
    for (_, code) in modifiers.into_iter().filter(|(one, _)| modifier.contains(*one)) {
        let _ = write!(text, ";{code}");
    }
    for (code, base) in [(number(foreground), 30), (number(background), 40)] {
        if let Some(code) = code {
            let _ = write!(text, ";{}", base + code);
        }
    }
    text.push('m');
}

/// The number of a colour; the room uses no others.
fn number(colour: Color) -> Option<u8> {
    match colour {
        Color::Black => Some(0),
        Color::Red => Some(1),
        Color::Green => Some(2),
        Color::Yellow => Some(3),
        Color::Blue => Some(4),
        Color::Magenta => Some(5),
        Color::Cyan => Some(6),
        Color::Gray => Some(7),
        _ => None,
    }
}

impl Backend for Paper {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let (mut next, mut last): (Option<(u16, u16)>, Option<Look>) = (None, None);
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                self.go_to(Position { x, y });
            }
            let now = (cell.fg, cell.bg, cell.modifier);
            if last != Some(now) {
                look(&mut self.text, now);
            }
            self.text.push_str(cell.symbol());
            // Only after an ASCII letter is it certain where a terminal's cursor stands.
            next = cell.symbol().is_ascii().then(|| (x.saturating_add(1), y));
            last = Some(now);
        }
        self.text.push_str("\x1b[0m");
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.text.push_str("\x1b[?25l");
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.text.push_str("\x1b[?25h");
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        // Asking the terminal would mean to look for its answer among the keys.
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.go_to(position.into());
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.text.push_str("\x1b[0m\x1b[2J");
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        let size = rustix::termios::tcgetwinsize(io::stdout())?;
        // A terminal that does not know its size is taken for the usual one.
        Ok(if size.ws_col == 0 { Size::new(80, 24) } else { Size::new(size.ws_col, size.ws_row) })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = screen::send(self.text.as_bytes());
        self.text.clear();
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_colours_are_said_in_the_old_way() {
        let said = |look_: Look| {
            let mut text = String::new();
            look(&mut text, look_);
            text
        };
        assert_eq!(said((Color::Reset, Color::Reset, Modifier::empty())), "\x1b[0m");
        assert_eq!(said((Color::Black, Color::Green, Modifier::BOLD)), "\x1b[0;1;30;42m");
        assert_eq!(said((Color::Reset, Color::Reset, Modifier::DIM | Modifier::REVERSED)), "\x1b[0;2;7m");
    }
}
