//! What can be said over the link: every method with its parameters and its answer, one type each.
//!
//! docs/link.md shows the same with examples; a test holds the two together. Paths are absolute and UTF-8; lines and
//! characters are 0-based, characters count UTF-16 units, ends are exclusive unless a field says otherwise.

macro_rules! methods {
    ($list:ident, $about:literal: $($(#[$doc:meta])* $method:ident = $name:literal: $params:ty => $reply:ty;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $method;
            impl $crate::link::protocol::Method for $method {
                const NAME: &'static str = $name;
                type Params = $params;
                type Reply = $reply;
            }
        )*
        #[doc = $about]
        pub const $list: &[&str] = &[$($name),*];
    };
}

mod desk;
mod editor;
mod events;
mod reviews;

pub use desk::*;
pub use editor::*;
pub use events::*;
pub use reviews::*;

use serde::{Serialize, de::DeserializeOwned};

/// The version of the link. Both sides must speak the same; it grows when an old side would misunderstand.
pub const VERSION: u32 = 1;

/// A method: its name, what it takes, what it gives.
pub trait Method {
    /// Its name on the wire.
    const NAME: &'static str;
    /// What it takes.
    type Params: Serialize + DeserializeOwned;
    /// What it gives.
    type Reply: Serialize + DeserializeOwned;
}

/// The name of the notification that carries a [`Note`] to a subscriber.
pub const EVENT: &str = "event";

methods! { METHODS, "The names of all methods that the host answers to anyone, in the order of the document.":
    /// The greeting: who joins. Nothing else is answered before it.
    Hello = "hello": HelloParams => HelloReply;
    /// How things stand.
    Status = "status": Empty => StatusReply;
    /// Open a file.
    Open = "open": OpenParams => OpenReply;
    /// Select a part of a file.
    Select = "select": SelectParams => OpenReply;
    /// Put a file, or lines of it, into the agents' prompts.
    Mention = "mention": MentionParams => MentionReply;
    /// Add a folder to the workspace.
    FolderAdd = "folder/add": FolderParams => FoldersReply;
    /// Take a folder away from the workspace.
    FolderRemove = "folder/remove": FolderParams => FoldersReply;
    /// The reviews.
    ReviewList = "review/list": ReviewListParams => ReviewListReply;
    /// One review with its contents.
    ReviewShow = "review/show": ReviewShowParams => ReviewShowReply;
    /// Accept a review, whole, by hunk or with other contents.
    ReviewAccept = "review/accept": ReviewAcceptParams => ReviewLine;
    /// Reject a review.
    ReviewReject = "review/reject": ReviewRejectParams => ReviewLine;
    /// Take an ended review out of the list.
    ReviewForget = "review/forget": ReviewForgetParams => Empty;
    /// An address of the review page, good for one browser.
    Page = "page": Empty => PageReply;
    /// Hear what happens from now on.
    Subscribe = "subscribe": Empty => Empty;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_its_heading_in_the_document() {
        let document = include_str!("../../../../../docs/link.md");
        let headings: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("### ")).collect();
        let all: Vec<&str> = [METHODS, EDITOR_METHODS, &TOLD, &[EVENT]].concat();
        for name in &all {
            assert!(
                headings.contains(&format!("`{name}`").as_str()),
                "docs/link.md has no heading for {name}"
            );
        }
        assert_eq!(headings.len(), all.len(), "docs/link.md has a heading for what does not exist");
    }
}
