//! Random UUIDs, as the CLI wants them for sessions and messages.

/// A new version 4 UUID; none when the system has no randomness to give.
pub(crate) fn v4() -> std::io::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let number = u128::from_be_bytes(bytes);
    let versioned =
        (number & !(0xf000_u128 << 64) & !(0b11_u128 << 62)) | (0x4000_u128 << 64) | (0b10_u128 << 62);
    Ok(format(versioned))
}

fn format(number: u128) -> String {
    let part = |shift: u32, bits: u32| (number >> shift) & ((1_u128 << bits) - 1);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        part(96, 32),
        part(80, 16),
        part(64, 16),
        part(48, 16),
        part(0, 48)
    )
}

/// Whether `text` has the shape of a UUID: what keeps an id from being a path.
pub(crate) fn is_uuid(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.chars().all(|char| char == '-' || char.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_stands_where_it_should() {
        let id = v4().unwrap();
        assert!(is_uuid(&id) && id.as_bytes()[14] == b'4' && "89ab".contains(&id[19..20]), "{id}");
        assert_ne!(id, v4().unwrap());
        assert!(!is_uuid("../../etc/passwd"));
    }
}
