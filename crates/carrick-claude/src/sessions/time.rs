//! The time of day as the CLI writes it, without a calendar library.

use std::time::{SystemTime, UNIX_EPOCH};

pub(super) fn now() -> String {
    format(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis())
}

fn format(millis: u128) -> String {
    let (days, rest) = (millis / 86_400_000, millis % 86_400_000);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000)
}

/// Counted from 1 March, so that the leap day is a year's last; 1970-01-01 is day 719 468 of that count.
fn date(days: u128) -> (u128, u128, u128) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u128::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(format(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(format(1_709_210_096_789), "2024-02-29T12:34:56.789Z");
        assert_eq!(format(1_794_708_595_138), "2026-11-15T02:09:55.138Z");
    }
}
