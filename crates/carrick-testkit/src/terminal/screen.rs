//! The screen a program paints, kept up to date by a thread that reads its pseudo-terminal.

use std::io::Read;
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;

/// Shared between the reading thread and those who look.
#[derive(Clone)]
pub(super) struct Screen {
    parser: Arc<Mutex<vt100::Parser>>,
    painted: Arc<watch::Sender<Painted>>,
}

/// What the watchers of a screen are told.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Painted {
    /// How many pieces of output came.
    pieces: u64,
    /// Nothing will come any more: every process that had the terminal open is gone.
    pub(super) over: bool,
}

impl Screen {
    pub(super) fn new(rows: u16, columns: u16) -> Self {
        let size = |cells| NonZeroU16::new(cells).expect("a terminal has at least one row and column");
        let parser = vt100::Parser::new(size(rows), size(columns), 0);
        Self { parser: Arc::new(Mutex::new(parser)), painted: Arc::default() }
    }

    /// Feeds the screen from `output` until that ends.
    pub(super) fn follow(&self, mut output: Box<dyn Read + Send>) {
        let screen = self.clone();
        std::thread::spawn(move || {
            let mut piece = [0; 16 << 10];
            while let Ok(length @ 1..) = output.read(&mut piece) {
                screen.parser.lock().unwrap().process(&piece[..length]);
                screen.painted.send_modify(|painted| painted.pieces += 1);
            }
            screen.painted.send_modify(|painted| painted.over = true);
        });
    }

    /// The text on the screen, rows ended by line feeds, without the blanks at their ends.
    pub(super) fn text(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    pub(super) fn painted(&self) -> String {
        self.parser.lock().unwrap().screen().contents_formatted()
    }

    pub(super) fn is_taken(&self) -> bool {
        let parser = self.parser.lock().unwrap();
        parser.screen().alternate_screen() || parser.screen().hide_cursor()
    }

    pub(super) fn resize(&self, rows: u16, columns: u16) {
        if let (Some(rows), Some(columns)) = (NonZeroU16::new(rows), NonZeroU16::new(columns)) {
            self.parser.lock().unwrap().screen_mut().set_size(rows, columns);
        }
    }

    pub(super) fn watch(&self) -> watch::Receiver<Painted> {
        self.painted.subscribe()
    }
}
