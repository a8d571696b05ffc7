//! Golden conversations: files that read as documentation and run as tests.
//!
//! ```text
//! # openDiff: accepted as proposed
//! --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"openDiff",
//!      "arguments":{"old_file_path":"${workspace}/a.txt"}}}
//!  $  review accept
//! <-- {"jsonrpc":"2.0","id":3,"result":"<any>"}
//! <-- none
//! ```
//!
//! | a line that starts with | means |
//! | --- | --- |
//! | `#` | a comment |
//! | `-->` | JSON to send; indented lines below go on with it |
//! | `-->!` | text to send as it stands, JSON or not |
//! | ` $ ` | something for the test's own [`Actions`] to do |
//! | `<--` | the next message that must come |
//! | `<~~` | a message that must come, though others may come before it and stay for later lines |
//! | `<-- none` | nothing comes before the next step, proved by a ping whose answer is the next message |
//! | `<-- closed` | the connection ends |
//!
//! `${name}` stands for a value given with [`Transcript::with`] or captured before. In expected messages the
//! order of keys does not matter and these strings match more than themselves: `"<any>"`, `"<string>"`,
//! `"<number>"`, `"<bool>"`, `"<array>"`, `"<object>"`, `"<uuid>"`, `"<like a*b>"`. With ` as name` before the
//! bracket the value is captured. A key `"<others>"` allows any other keys, a last item `"<others>"` any other
//! items, and `{"<json>": …}` matches a string that holds such JSON.

mod matching;
mod parse;
mod peer;
mod run;
#[cfg(test)]
mod tests;

pub use parse::Transcript;
pub use peer::{Actions, ChannelPeer, NoActions, Peer};
pub use run::run;
