//! What a run of code has given so far, in order and within bounds, however much the code prints.
//!
//! The first so many bytes are kept, and the last so many; what falls out between them is only counted. A line that
//! is overwritten with a carriage return, as progress bars do it, counts once.

use std::collections::{BTreeMap, VecDeque};

use jupyter_protocol::Media;

use crate::Output;
use crate::media::pieces;
use crate::text::{boundary_after, boundary_before, cut_in_the_middle, left_out, plain};

/// Text that is kept from the beginning, and as much from the end. Together less than what an agent reads whole.
const TEXT_EACH_END: usize = 20_000;
/// Pictures that are kept, counted in bytes; the next one is only mentioned.
const IMAGE_BYTES: usize = 16 << 20;
/// A line that does not end is passed on in pieces of this size.
const LONG_LINE: usize = 8 << 10;
/// Displays whose changes are remembered; a change of any other is dropped.
const CHANGED_DISPLAYS: usize = 16;

#[derive(Default)]
pub(crate) struct Collected {
    head: Vec<Output>,
    head_bytes: usize,
    tail: VecDeque<Output>,
    tail_bytes: usize,
    left_out: usize,
    image_bytes: usize,
    line: String,
    /// A carriage return came, and what follows it decides what it means.
    returned: bool,
    /// The last piece is printed text, which more printed text continues.
    grows: bool,
    clear_next: bool,
    changed: BTreeMap<String, Media>,
}

impl Collected {
    /// The code printed something.
    pub(crate) fn printed(&mut self, chunk: &str) {
        self.clear_if_due();
        for part in chunk.split_inclusive(['\n', '\r']) {
            if std::mem::take(&mut self.returned) && part != "\n" {
                self.line.clear();
            }
            self.line.push_str(part.trim_end_matches('\r'));
            self.returned = part.ends_with('\r');
            if part.ends_with('\n') || self.line.len() > LONG_LINE {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = plain(&std::mem::take(&mut self.line));
        self.text(&line, self.grows);
        self.grows = true;
    }

    /// Something else than printed text comes: what was printed before it is complete.
    fn turn(&mut self) {
        self.clear_if_due();
        if !self.line.is_empty() {
            self.end_line();
        }
        (self.grows, self.returned) = (false, false);
    }

    /// The code showed something.
    pub(crate) fn shown(&mut self, media: &Media) {
        self.turn();
        for piece in pieces(media) {
            match piece {
                Output::Text(text) => self.text(&plain(&text), false),
                Output::Image { bytes, mime } => self.image(bytes, mime),
                Output::Error(_) => {}
            }
        }
    }

    /// The code changed what it showed before: only the last state of each is of interest.
    pub(crate) fn changed(&mut self, display: String, media: Media) {
        if self.changed.len() < CHANGED_DISPLAYS || self.changed.contains_key(&display) {
            self.changed.insert(display, media);
        }
    }

    /// The code failed, or something failed around it.
    pub(crate) fn failed(&mut self, words: &str) {
        self.turn();
        self.put(Output::Error(cut_in_the_middle(&plain(words), TEXT_EACH_END)));
    }

    /// The code took back what it showed, at once or when it shows the next thing.
    pub(crate) fn cleared(&mut self, wait: bool) {
        self.clear_next = true;
        if !wait {
            self.clear_if_due();
        }
    }

    fn clear_if_due(&mut self) {
        if self.clear_next {
            *self = Self::default();
        }
    }

    fn image(&mut self, bytes: Vec<u8>, mime: &'static str) {
        if self.image_bytes + bytes.len() > IMAGE_BYTES {
            return self.text(&format!("[an {mime} of {} bytes is left out]", bytes.len()), false);
        }
        self.image_bytes += bytes.len();
        self.put(Output::Image { bytes, mime });
    }

    fn put(&mut self, output: Output) {
        if self.head_bytes < TEXT_EACH_END {
            self.head.push(output);
        } else {
            self.tail.push_back(output);
        }
    }

    fn text(&mut self, text: &str, continues: bool) {
        let room = TEXT_EACH_END - self.head_bytes;
        let (first, rest) = text.split_at(boundary_before(text, room));
        if !first.is_empty() {
            let new = extend(self.head.last_mut(), first, continues);
            self.head.extend(new);
            self.head_bytes += first.len();
        }
        if !rest.is_empty() {
            // A character may not have fitted: the head is full all the same.
            self.head_bytes = TEXT_EACH_END;
            let new = extend(self.tail.back_mut(), rest, continues);
            self.tail.extend(new);
            self.tail_bytes += rest.len();
        }
        // Not on every line: cutting moves what is kept.
        if self.tail_bytes > 2 * TEXT_EACH_END {
            self.shorten_tail();
        }
    }

    fn shorten_tail(&mut self) {
        while self.tail_bytes > TEXT_EACH_END {
            let over = self.tail_bytes - TEXT_EACH_END;
            let first = self.tail.iter().position(|output| matches!(output, Output::Text(_)));
            let Some(at) = first else { return };
            let Some(Output::Text(text)) = self.tail.get_mut(at) else { return };
            let gone = boundary_after(text, over);
            text.drain(..gone);
            if text.is_empty() {
                self.tail.remove(at);
            }
            self.tail_bytes -= gone;
            self.left_out += gone;
        }
    }

    /// Everything, in order.
    pub(crate) fn finish(mut self) -> Vec<Output> {
        // What was to be cleared before the next thing stays: there is no next thing.
        self.clear_next = false;
        self.turn();
        for media in std::mem::take(&mut self.changed).into_values() {
            self.shown(&media);
        }
        self.shorten_tail();
        let note = (self.left_out > 0).then(|| Output::Text(left_out(self.left_out)));
        self.head.into_iter().chain(note).chain(self.tail).collect()
    }
}

/// Lengthens the last text, or hands back a new one.
fn extend(last: Option<&mut Output>, text: &str, continues: bool) -> Option<Output> {
    if let Some(Output::Text(before)) = last.filter(|_| continues) {
        before.push_str(text);
        return None;
    }
    Some(Output::Text(text.into()))
}

#[cfg(test)]
mod tests {
    use jupyter_protocol::MediaType;

    use super::*;

    fn text(text: &str) -> Output {
        Output::Text(text.into())
    }

    fn shown(plain: &str) -> Media {
        Media::new(vec![MediaType::Plain(plain.into())])
    }

    #[test]
    fn printed_text_is_one_piece_and_results_stand_alone() {
        let mut collected = Collected::default();
        collected.printed("a\n");
        collected.printed("b");
        collected.printed("c\n");
        collected.shown(&shown("2"));
        collected.printed("d");
        assert_eq!(collected.finish(), [text("a\nbc\n"), text("2"), text("d")]);
    }

    #[test]
    fn an_overwritten_line_counts_once() {
        let mut collected = Collected::default();
        collected.printed("\r 10%");
        collected.printed("\r 55%\r");
        collected.printed("100%\r\nall\r\n");
        collected.printed("last\r");
        assert_eq!(collected.finish(), [text("100%\nall\nlast")]);
    }

    #[test]
    fn a_flood_keeps_its_ends_and_little_memory() {
        let mut collected = Collected::default();
        for number in 0..200_000 {
            collected.printed(&format!("line {number} ü\n"));
        }
        collected.failed("\x1b[31mStop\x1b[0m");
        let outputs = collected.finish();
        let [Output::Text(head), Output::Text(note), Output::Text(tail), error] = &outputs[..] else {
            panic!("{outputs:?}")
        };
        assert!(head.starts_with("line 0 ü\n") && tail.ends_with("line 199999 ü\n"));
        assert!(head.len() <= TEXT_EACH_END && tail.len() <= TEXT_EACH_END);
        assert!(note.contains("bytes of output are left out"), "{note}");
        assert_eq!(*error, Output::Error("Stop".into()));
    }

    #[test]
    fn a_line_without_end_is_bounded_too() {
        let mut collected = Collected::default();
        (0..10_000).for_each(|_| collected.printed(&"x".repeat(100)));
        let bytes: usize = collected
            .finish()
            .iter()
            .map(|out| if let Output::Text(text) = out { text.len() } else { 0 })
            .sum();
        assert!(bytes < 2 * TEXT_EACH_END + 100, "{bytes}");
    }

    #[test]
    fn pictures_beyond_the_bound_are_mentioned() {
        let mut collected = Collected::default();
        for _ in 0..3 {
            collected.image(vec![0; IMAGE_BYTES / 2], "image/png");
        }
        let outputs = collected.finish();
        assert!(
            matches!(outputs[2], Output::Text(ref note) if note.contains("left out")),
            "{:?}",
            outputs[2]
        );
    }

    #[test]
    fn cleared_and_changed_displays() {
        let mut collected = Collected::default();
        collected.printed("gone\n");
        collected.cleared(true);
        collected.printed("here\n");
        collected.changed("id".into(), shown("50%"));
        collected.changed("id".into(), shown("100%"));
        collected.cleared(true);
        assert_eq!(collected.finish(), [text("here\n"), text("100%")]);
        let mut collected = Collected::default();
        collected.printed("gone");
        collected.cleared(false);
        assert_eq!(collected.finish(), []);
    }
}
