//! One clock for the pings of all clients, which wakes the process once per beat and not more often.
//!
//! tokio's timers are a wheel that stops on the way to an instant seconds away: three wake-ups for one ping. On
//! Linux the kernel's own timer does it in one; elsewhere the wheel has to do.

use std::io;
use std::time::Duration;

#[cfg(target_os = "linux")]
pub(crate) use linux::Pulse;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::Pulse;

#[cfg(target_os = "linux")]
mod linux {
    use super::{Duration, io};
    use rustix::fd::OwnedFd;
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    use tokio::io::unix::AsyncFd;

    pub(crate) struct Pulse {
        timer: AsyncFd<OwnedFd>,
    }

    impl Pulse {
        pub(crate) fn new(every: Duration) -> io::Result<Self> {
            let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
            // Monotonic: time in which the machine sleeps does not count.
            let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
            let every =
                Timespec { tv_sec: every.as_secs().cast_signed(), tv_nsec: every.subsec_nanos().into() };
            timerfd_settime(
                &timer,
                TimerfdTimerFlags::empty(),
                &Itimerspec { it_interval: every, it_value: every },
            )?;
            // The newer `register` is unsafe because a descriptor could be closed behind its back; an `OwnedFd`'s cannot.
            #[allow(deprecated, reason = "the safe way to the same thing")]
            let timer = AsyncFd::new(timer)?;
            Ok(Self { timer })
        }

        pub(crate) async fn beat(&mut self) -> io::Result<()> {
            loop {
                let mut ready = self.timer.readable().await?;
                let mut beats = [0; 8];
                match rustix::io::read(ready.get_inner(), &mut beats) {
                    Err(rustix::io::Errno::AGAIN) => ready.clear_ready(),
                    read => return read.map(drop).map_err(io::Error::from),
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::{Duration, io};

    pub(crate) struct Pulse {
        interval: tokio::time::Interval,
    }

    impl Pulse {
        pub(crate) fn new(every: Duration) -> io::Result<Self> {
            Ok(Self { interval: tokio::time::interval_at(tokio::time::Instant::now() + every, every) })
        }

        pub(crate) async fn beat(&mut self) -> io::Result<()> {
            self.interval.tick().await;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn beats_again_and_again() {
        let before = std::time::Instant::now();
        let mut pulse = Pulse::new(Duration::from_millis(5)).unwrap();
        for _ in 0..3 {
            pulse.beat().await.unwrap();
        }
        assert!(before.elapsed() >= Duration::from_millis(15));
    }
}
