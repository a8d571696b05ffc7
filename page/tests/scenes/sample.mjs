// A change that looks like one: what the pictures in the documents show.
export const BEFORE = `//! A queue that two threads share.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

/// Holds what was sent and not yet received.
pub struct Queue<T> {
    items: Mutex<VecDeque<T>>,
    filled: Condvar,
}

impl<T> Queue<T> {
    pub fn new() -> Self {
        Self { items: Mutex::new(VecDeque::new()), filled: Condvar::new() }
    }

    /// Adds an item at the end.
    pub fn send(&self, item: T) {
        let mut items = self.items.lock().unwrap();
        items.push_back(item);
        self.filled.notify_one();
    }

    /// Takes the item at the front, and waits for one if there is none.
    pub fn receive(&self) -> T {
        let mut items = self.items.lock().unwrap();
        loop {
            if let Some(item) = items.pop_front() {
                return item;
            }
            items = self.filled.wait(items).unwrap();
        }
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.items.lock().unwrap().len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_in_first_out() {
        let queue = Queue::new();
        queue.send(1);
        queue.send(2);
        assert_eq!((queue.receive(), queue.receive()), (1, 2));
    }
}
`;

export const AFTER = BEFORE.replace("//! A queue that two threads share.", "//! A queue with a bound, which two threads share.")
  .replace("    filled: Condvar,\n", "    filled: Condvar,\n    emptied: Condvar,\n    bound: usize,\n")
  .replace(
    "    pub fn new() -> Self {\n        Self { items: Mutex::new(VecDeque::new()), filled: Condvar::new() }\n",
    "    /// A queue for so many items; one that sends more waits.\n    pub fn new(bound: usize) -> Self {\n        let items = Mutex::new(VecDeque::with_capacity(bound));\n        Self { items, filled: Condvar::new(), emptied: Condvar::new(), bound }\n",
  )
  .replace(
    "        let mut items = self.items.lock().unwrap();\n        items.push_back(item);",
    "        let mut items = self.items.lock().unwrap();\n        while items.len() >= self.bound {\n            items = self.emptied.wait(items).unwrap();\n        }\n        items.push_back(item);",
  )
  .replace("                return item;", "                self.emptied.notify_one();\n                return item;")
  .replace("Queue::new();\n        queue.send(1)", "Queue::new(2);\n        queue.send(1)");
