//! Whose connection it is. The address that a browser is started with can be read in the list of processes by anyone on
//! the machine, for as long as the start takes; so where the system tells, only our own person gets a connection.

use std::net::SocketAddr;

/// Whether the other end belongs to somebody else. Root is nobody else: it can read our memory.
#[cfg(target_os = "linux")]
pub(super) fn is_somebody_else(peer: SocketAddr) -> bool {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    let own = rustix::process::getuid().as_raw();
    owner(&table, peer).is_some_and(|uid| uid != own && uid != 0)
}

/// Elsewhere the system does not tell, and the ticket has to do.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_somebody_else(_: SocketAddr) -> bool {
    false
}

/// The owner of the socket at this address, by the kernel's table.
#[cfg(target_os = "linux")]
fn owner(table: &str, at: SocketAddr) -> Option<u32> {
    let SocketAddr::V4(at) = at else { return None };
    let address = u32::from_ne_bytes(at.ip().octets());
    let wanted = format!("{address:08X}:{:04X}", at.port());
    table.lines().skip(1).find_map(|line| {
        let mut words = line.split_whitespace();
        // The number of the line, the local address, and the owner behind five more columns.
        (words.nth(1)? == wanted).then_some(())?;
        words.nth(5)?.parse().ok()
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn the_owner_of_a_connection_is_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
        let own = rustix::process::getuid().as_raw();
        assert_eq!(owner(&table, ours.local_addr().unwrap()), Some(own));
        assert!(!is_somebody_else(ours.local_addr().unwrap()));
    }

    #[test]
    fn another_owner_is_read_from_the_table() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                     0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1001        0 1 1\n";
        let expected = if cfg!(target_endian = "little") { Some(1001) } else { None };
        assert_eq!(owner(table, "127.0.0.1:8080".parse().unwrap()), expected);
        assert_eq!(owner(table, "127.0.0.1:8081".parse().unwrap()), None);
        assert_eq!(owner("", "127.0.0.1:8080".parse().unwrap()), None);
    }
}
