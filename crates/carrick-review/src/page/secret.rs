//! The page's secrets: the folder it lives in, the cookie that opens it, and tickets that buy the cookie once.
//!
//! Cookies know no ports: what a browser holds for 127.0.0.1 it would bring to every server there, another person's
//! too. So the page lives under a path that nobody can guess, and its cookie is good for that path alone.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

use subtle::ConstantTimeEq;

/// Tickets that wait to be used. When there are more, the oldest is void: somebody asks for one link at a time.
const TICKETS: usize = 16;

/// The name of the cookie.
pub(super) const COOKIE: &str = "carrick";

/// What one run leaves to the next.
#[derive(Clone, PartialEq, Eq)]
pub struct Kept {
    /// The port.
    pub port: u16,
    /// The folder of the page.
    pub place: String,
    /// What the cookie holds.
    pub session: String,
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept").field("port", &self.port).finish_non_exhaustive()
    }
}

pub(super) struct Secrets {
    place: String,
    session: String,
    tickets: Mutex<VecDeque<String>>,
}

impl Secrets {
    /// Those of an earlier run if they are whole, else new ones.
    pub(super) fn new(kept: Option<Kept>) -> io::Result<Self> {
        let kept = kept.filter(|kept| is_hex(&kept.place, 16) && is_hex(&kept.session, 64));
        let (place, session) = match kept {
            Some(kept) => (kept.place, kept.session),
            None => (random(8)?, random(32)?),
        };
        Ok(Self { place, session, tickets: Mutex::default() })
    }

    pub(super) fn kept(&self, port: u16) -> Kept {
        Kept { port, place: self.place.clone(), session: self.session.clone() }
    }

    /// The path everything is under, with a slash at both ends.
    pub(super) fn base(&self) -> String {
        format!("/{}/", self.place)
    }

    /// A new ticket.
    pub(super) fn ticket(&self) -> io::Result<String> {
        let ticket = random(16)?;
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        if tickets.len() == TICKETS {
            tickets.pop_front();
        }
        tickets.push_back(ticket.clone());
        Ok(ticket)
    }

    /// Takes a ticket; true once for each.
    pub(super) fn redeem(&self, brought: &str) -> bool {
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        let before = tickets.len();
        tickets.retain(|ticket| !same(ticket, brought));
        tickets.len() < before
    }

    /// The header that brings the cookie to a browser.
    pub(super) fn set_cookie(&self) -> String {
        format!("{COOKIE}={}; Path={}; HttpOnly; SameSite=Strict", self.session, self.base())
    }

    /// Whether a request's `Cookie` header opens the page.
    pub(super) fn opens(&self, header: &str) -> bool {
        let pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, _)| *name == COOKIE).any(|(_, value)| same(&self.session, value))
    }
}

/// Compares without telling by its duration where the first difference is.
fn same(ours: &str, brought: &str) -> bool {
    ours.as_bytes().ct_eq(brought.as_bytes()).into()
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// So many random bytes, in hexadecimal.
pub(super) fn random(bytes: usize) -> io::Result<String> {
    let mut random = vec![0_u8; bytes];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_works_once() {
        let secrets = Secrets::new(None).unwrap();
        let ticket = secrets.ticket().unwrap();
        assert!(!secrets.redeem("") && !secrets.redeem(&ticket[1..]));
        assert!(secrets.redeem(&ticket));
        assert!(!secrets.redeem(&ticket));
    }

    #[test]
    fn of_too_many_tickets_the_oldest_is_void() {
        let secrets = Secrets::new(None).unwrap();
        let first = secrets.ticket().unwrap();
        let rest: Vec<String> = (0..TICKETS).map(|_| secrets.ticket().unwrap()).collect();
        assert!(!secrets.redeem(&first));
        assert!(rest.iter().all(|ticket| secrets.redeem(ticket)));
    }

    #[test]
    fn only_the_whole_cookie_opens() {
        let secrets = Secrets::new(None).unwrap();
        let Kept { session, .. } = secrets.kept(1);
        assert!(secrets.opens(&format!("a=b; {COOKIE}={session}")));
        for bad in [
            String::new(),
            session.clone(),
            format!("{COOKIE}="),
            format!("{COOKIE}={}", &session[1..]),
            format!("x{COOKIE}={session}"),
        ] {
            assert!(!secrets.opens(&bad), "{bad}");
        }
    }

    #[test]
    fn what_was_kept_is_used_again_if_it_is_whole() {
        let kept = Secrets::new(None).unwrap().kept(5);
        assert_eq!(Secrets::new(Some(kept.clone())).unwrap().kept(5), kept);
        let broken = Kept { session: String::from("short"), ..kept.clone() };
        assert_ne!(Secrets::new(Some(broken)).unwrap().kept(5).session, "short");
        assert!(!format!("{kept:?}").contains(&kept.session));
    }
}
