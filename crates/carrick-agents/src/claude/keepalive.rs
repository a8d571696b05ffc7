//! Who still answers: a `ping` every 5 s, and a clear difference between a slow client, a dead one and a laptop
//! that slept.
//!
//! Pure bookkeeping: the session tells it what happens and when, it tells the session what to do and when to look
//! again. A client that answers is never looked at between two pings, so an idle connection wakes nobody.

use std::time::{Duration, Instant, SystemTime};

/// A ping goes out this often, to all clients at the same beat.
pub(crate) const EVERY: Duration = Duration::from_secs(5);
/// Without an answer for so long, the client counts as unresponsive.
const PATIENCE: Duration = Duration::from_secs(3);
/// Silent for so long while a ping is out, the client is dropped.
const SILENCE: Duration = Duration::from_secs(30);
/// A difference between the two clocks that no scheduling explains: the machine slept.
const SLEPT: Duration = Duration::from_secs(2);

/// What the session has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Nothing,
    SendPing,
    MarkUnresponsive,
    Drop,
}

pub(crate) struct Keepalive {
    oldest_unanswered: Option<Instant>,
    last_heard: Instant,
    responsive: bool,
    last_look: (Instant, SystemTime),
}

impl Keepalive {
    pub(crate) fn new(now: Instant, wall: SystemTime) -> Self {
        Self { oldest_unanswered: None, last_heard: now, responsive: true, last_look: (now, wall) }
    }

    /// Something came from the client.
    pub(crate) fn heard(&mut self, now: Instant) {
        self.last_heard = now;
    }

    /// The client answered a ping; true when that makes it responsive again.
    pub(crate) fn answered(&mut self, now: Instant) -> bool {
        self.heard(now);
        self.oldest_unanswered = None;
        !std::mem::replace(&mut self.responsive, true)
    }

    /// When to call [`Keepalive::look`] next; never while every ping is answered.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let asked = self.oldest_unanswered?;
        Some(if self.responsive { asked + PATIENCE } else { self.last_heard.max(asked) + SILENCE })
    }

    /// It is time for a ping, unless the client is beyond it.
    pub(crate) fn beat(&mut self, now: Instant, wall: SystemTime) -> Due {
        match self.look(now, wall) {
            Due::Nothing => {
                self.oldest_unanswered.get_or_insert(now);
                Due::SendPing
            }
            verdict => verdict,
        }
    }

    /// What is due at this moment.
    pub(crate) fn look(&mut self, now: Instant, wall: SystemTime) -> Due {
        if self.slept(now, wall) {
            // Nobody was silent while nobody ran: every wait starts again.
            self.last_heard = now;
            self.oldest_unanswered = self.oldest_unanswered.map(|_| now);
        }
        let Some(asked) = self.oldest_unanswered else { return Due::Nothing };
        if now >= self.last_heard.max(asked) + SILENCE {
            return Due::Drop;
        }
        if self.responsive && now >= asked + PATIENCE {
            self.responsive = false;
            return Due::MarkUnresponsive;
        }
        Due::Nothing
    }

    fn slept(&mut self, now: Instant, wall: SystemTime) -> bool {
        let (before, wall_before) = std::mem::replace(&mut self.last_look, (now, wall));
        let by_wall = wall.duration_since(wall_before).unwrap_or_default();
        by_wall.saturating_sub(now.duration_since(before)) > SLEPT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Clock(Instant, SystemTime);

    impl Clock {
        fn pass(&mut self, seconds: u64) {
            self.0 += Duration::from_secs(seconds);
            self.1 += Duration::from_secs(seconds);
        }
    }

    fn start() -> (Keepalive, Clock) {
        let clock = Clock(Instant::now(), SystemTime::now());
        (Keepalive::new(clock.0, clock.1), clock)
    }

    #[test]
    fn rests_while_pings_are_answered() {
        let (mut keepalive, mut clock) = start();
        for _ in 0..3 {
            assert_eq!(keepalive.deadline(), None);
            clock.pass(5);
            assert_eq!(keepalive.beat(clock.0, clock.1), Due::SendPing);
            assert_eq!(keepalive.deadline(), Some(clock.0 + PATIENCE));
            assert!(!keepalive.answered(clock.0));
        }
    }

    #[test]
    fn slow_is_not_dead() {
        let (mut keepalive, mut clock) = start();
        assert_eq!(keepalive.beat(clock.0, clock.1), Due::SendPing);
        clock.pass(3);
        assert_eq!(keepalive.look(clock.0, clock.1), Due::MarkUnresponsive);
        clock.pass(10);
        keepalive.heard(clock.0);
        assert_eq!(keepalive.beat(clock.0, clock.1), Due::SendPing);
        clock.pass(29);
        assert_eq!(keepalive.look(clock.0, clock.1), Due::Nothing, "it was heard 29 s ago");
        assert!(keepalive.answered(clock.0), "it is responsive again");
    }

    #[test]
    fn silence_of_thirty_seconds_ends_it() {
        let (mut keepalive, mut clock) = start();
        keepalive.beat(clock.0, clock.1);
        clock.pass(30);
        assert_eq!(keepalive.look(clock.0, clock.1), Due::Drop);
        assert_eq!(keepalive.beat(clock.0, clock.1), Due::Drop);
    }

    #[test]
    fn a_sleeping_laptop_is_not_a_dead_client() {
        let (mut keepalive, mut clock) = start();
        keepalive.beat(clock.0, clock.1);
        clock.pass(29);
        clock.1 += Duration::from_secs(3600);
        assert_ne!(keepalive.look(clock.0, clock.1), Due::Drop);
        clock.pass(29);
        assert_ne!(keepalive.look(clock.0, clock.1), Due::Drop);
        clock.pass(1);
        assert_eq!(keepalive.look(clock.0, clock.1), Due::Drop);
    }
}
