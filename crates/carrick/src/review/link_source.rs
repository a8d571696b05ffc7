//! A desk elsewhere as a room's source, reached over the link.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use carrick_core::{Decision, Original};
use carrick_editors::link::guest::Guest;
use carrick_editors::link::protocol::{
    self as p, Before, Empty, Note, ReviewAccept, ReviewAcceptParams, ReviewLine, ReviewList,
    ReviewListParams, ReviewReject, ReviewRejectParams, ReviewShow, ReviewShowParams, Role, SelectionLine,
    Subscribe,
};
use carrick_review::terminal::source::{
    Contents, End, Entry, Later, Look, Opening, Refused, Size, Source, Status, Told,
};
use tokio::net::UnixStream;

/// A joined desk and what is known about it.
pub(crate) struct LinkSource {
    guest: Guest<UnixStream>,
    clients: BTreeMap<u64, String>,
    selection: Option<SelectionLine>,
}

impl LinkSource {
    /// Joins the desk at this socket, in the room's own thread.
    pub(crate) fn opening(socket: PathBuf, role: Role, name: &'static str) -> Opening {
        Box::new(move || {
            Box::pin(async move {
                let joined = async {
                    let mut guest = Guest::join(&socket, role, name).await?;
                    guest.ask::<Subscribe>(&Empty {}).await?;
                    Ok(guest)
                };
                let guest = joined
                    .await
                    .map_err(|error: carrick_editors::link::guest::GuestError| error.to_string())?;
                let source: Box<dyn Source> =
                    Box::new(Self { guest, clients: BTreeMap::new(), selection: None });
                Ok(source)
            })
        })
    }

    async fn ask<M: p::Method>(&mut self, params: &M::Params) -> Result<M::Reply, Refused> {
        self.guest.ask::<M>(params).await.map_err(|error| error.to_string())
    }

    fn status(&self) -> Status {
        let selection = self.selection.as_ref().map(|selection| {
            (selection.path.clone(), selection.range.start.line + 1, selection.range.end.line + 1)
        });
        Status { port: self.guest.host().port, clients: self.clients.values().cloned().collect(), selection }
    }

    /// What a note means to a room; `None` for what a room does not show.
    fn told(&mut self, note: Note) -> Option<Told> {
        match note {
            Note::ReviewOpened { review } => return Some(Told::Entry(entry(&review))),
            Note::ReviewSettled { id, review } => {
                let end = review.and_then(|review| review.outcome).map(end);
                return Some(Told::Ended(id, end));
            }
            Note::Remarked { words } => return Some(Told::Remark(words)),
            Note::Missed { .. } => return Some(Told::Anew),
            Note::ClientReady { client } => drop(self.clients.insert(client.id, client.name)),
            Note::ClientLeft { id, .. } => drop(self.clients.remove(&id)),
            Note::SelectionChanged { selection } => self.selection = selection,
            Note::ClientJoined { .. }
            | Note::ClientResponsive { .. }
            | Note::Mentioned { .. }
            | Note::DiagnosticsChanged { .. }
            | Note::TabsChanged
            | Note::FoldersChanged { .. }
            | Note::AbilitiesChanged => return None,
        }
        Some(Told::Status(self.status()))
    }
}

impl Source for LinkSource {
    fn look(&mut self) -> Later<'_, Result<Look, Refused>> {
        Box::pin(async {
            let status = self.ask::<p::Status>(&Empty {}).await?;
            let ready = status.clients.into_iter().filter(|client| client.ready);
            self.clients = ready.map(|client| (client.id, client.name)).collect();
            self.selection = status.selection;
            let listed = self.ask::<ReviewList>(&ReviewListParams { all: true }).await?;
            let entries = listed.reviews.iter().map(entry).collect();
            Ok(Look { root: status.desk.root, entries, status: self.status() })
        })
    }

    fn contents(&mut self, id: u64) -> Later<'_, Result<Contents, Refused>> {
        Box::pin(async move {
            let shown = self.ask::<ReviewShow>(&ReviewShowParams { id: Some(id), context: Some(0) }).await?;
            let proposed = shown.proposed;
            let original = match (shown.review.before, shown.original) {
                (Before::Missing, _) => Original::Missing,
                // As the desk compares: the CLI shows CRLF files with LF.
                (Before::Text, Some(text)) if !proposed.contains("\r\n") => {
                    Original::Text(text.replace("\r\n", "\n").into())
                }
                (Before::Text, Some(text)) => Original::Text(text.into()),
                (Before::Text | Before::Binary, _) => Original::NotText,
            };
            Ok(Contents { original, proposed: proposed.into() })
        })
    }

    fn decide(&mut self, id: u64, decision: Decision) -> Later<'_, Result<(), Refused>> {
        Box::pin(async move {
            let accept = |hunks, contents| ReviewAcceptParams { id: Some(id), hunks, contents };
            match decision {
                Decision::Accept => self.ask::<ReviewAccept>(&accept(None, None)).await,
                Decision::AcceptHunks(hunks) => self.ask::<ReviewAccept>(&accept(Some(hunks), None)).await,
                Decision::AcceptWith(text) => {
                    self.ask::<ReviewAccept>(&accept(None, Some(text.to_string()))).await
                }
                Decision::Reject => self.ask::<ReviewReject>(&ReviewRejectParams { id: Some(id) }).await,
            }
            .map(drop)
        })
    }

    fn next(&mut self) -> Later<'_, Told> {
        Box::pin(async {
            loop {
                match self.guest.next_note().await {
                    Some(note) => {
                        if let Some(told) = self.told(note) {
                            return told;
                        }
                    }
                    None => return Told::Over,
                }
            }
        })
    }
}

fn entry(review: &ReviewLine) -> Entry {
    let size = match (review.before, review.added, review.removed) {
        (Before::Binary, ..) => Size::NotText,
        (Before::Missing, Some(added), _) => Size::NewFile(added),
        (Before::Text, Some(added), Some(removed)) => Size::Lines(added, removed),
        _ => Size::Unknown,
    };
    Entry {
        id: review.id,
        path: review.path.clone(),
        client: review.client_name.clone(),
        opened: UNIX_EPOCH + Duration::from_millis(review.opened),
        size,
        end: review.outcome.map(end),
    }
}

fn end(end: p::End) -> End {
    match end {
        p::End::Accepted => End::Accepted,
        p::End::Rejected => End::Rejected,
        p::End::Closed => End::Closed,
        p::End::Gone => End::Gone,
    }
}
