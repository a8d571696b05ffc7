//! One place for the ways in which the same file is written on the wire.
//!
//! `C:\Users\x`, `/c/Users/x`, `/mnt/c/Users/x` and `file:///c:/Users/x` are one file. Which of them a plain
//! `/c/Users/x` means depends on the machine that says it, so every reading names its [`Host`].

use std::path::{Path, PathBuf};

/// The kind of machine whose paths are read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Host {
    /// Linux, macOS and the like: `/c/x` is an ordinary path.
    #[default]
    Posix,
    /// Windows: `/c/x` and `/mnt/c/x` mean drive C.
    Windows,
    /// Linux inside Windows: drive C is `/mnt/c`.
    Wsl,
}

/// An absolute path, free of any machine's way to write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WirePath {
    drive: Option<char>,
    /// Begins with `/`, and has only forward slashes on a drive.
    rest: String,
}

impl WirePath {
    /// Reads any of the forms above. A `file:` address is taken as it stands, without decoding percent signs:
    /// the CLI does not encode (see [`WirePath::parse_encoded`] for those who do).
    #[must_use]
    pub fn parse(text: &str, host: Host) -> Option<Self> {
        match text.strip_prefix("file://") {
            Some(address) => Self::parse_path(address.strip_prefix("localhost").unwrap_or(address), host),
            None => Self::parse_path(text, host),
        }
    }

    /// Reads a `file:` address whose special characters are percent-encoded.
    #[must_use]
    pub fn parse_encoded(text: &str, host: Host) -> Option<Self> {
        Self::parse(&percent_decoded(text)?, host)
    }

    fn parse_path(text: &str, host: Host) -> Option<Self> {
        if text.contains('\0') {
            return None;
        }
        if let Some((drive, rest)) = drive_and_colon(text.strip_prefix('/').unwrap_or(text)) {
            return Some(Self::on_drive(drive, rest));
        }
        let mounted = match host {
            Host::Posix => None,
            Host::Windows => drive_folder(text, "/mnt/").or_else(|| drive_folder(text, "/")),
            Host::Wsl => drive_folder(text, "/mnt/"),
        };
        match mounted {
            Some((drive, rest)) => Some(Self::on_drive(drive, rest)),
            None => text.starts_with('/').then(|| Self { drive: None, rest: text.into() }),
        }
    }

    fn on_drive(drive: char, rest: &str) -> Self {
        let rest = rest.replace('\\', "/");
        let rest = if rest.starts_with('/') { rest } else { format!("/{rest}") };
        Self { drive: Some(drive.to_ascii_lowercase()), rest }
    }

    /// `/c/Users/x`: what goes over the wire.
    #[must_use]
    pub fn posix(&self) -> String {
        self.drive.map_or_else(|| self.rest.clone(), |drive| format!("/{drive}{}", self.rest))
    }

    /// `C:\Users\x`; a path without a drive stays as it is.
    #[must_use]
    pub fn windows(&self) -> String {
        let Some(drive) = self.drive else { return self.rest.clone() };
        format!("{}:{}", drive.to_ascii_uppercase(), self.rest.replace('/', "\\"))
    }

    /// `/mnt/c/Users/x`.
    #[must_use]
    pub fn wsl(&self) -> String {
        self.drive.map_or_else(|| self.rest.clone(), |drive| format!("/mnt/{drive}{}", self.rest))
    }

    /// `file:///c:/Users/x`, characters as they are: the only form that the CLI recognises.
    #[must_use]
    pub fn raw_uri(&self) -> String {
        self.drive
            .map_or_else(|| format!("file://{}", self.rest), |drive| format!("file:///{drive}:{}", self.rest))
    }

    /// `file:///c:/Users/x` with everything encoded that an address may not hold: for those who follow the RFC.
    #[must_use]
    pub fn encoded_uri(&self) -> String {
        let mut uri = String::from("file://");
        if let Some(drive) = self.drive {
            uri.extend(['/', drive, ':']);
        }
        for byte in self.rest.bytes() {
            match byte {
                b'/' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                    uri.push(byte as char);
                }
                other => uri.push_str(&format!("%{other:02X}")),
            }
        }
        uri
    }

    /// The path that `host` opens.
    #[must_use]
    pub fn native(&self, host: Host) -> PathBuf {
        PathBuf::from(match host {
            Host::Posix => self.posix(),
            Host::Windows => self.windows(),
            Host::Wsl => self.wsl(),
        })
    }
}

/// A path of this machine as it goes over the wire: `/c/Users/x`, or unchanged where there are no drives.
#[must_use]
pub fn on_the_wire(path: &Path, host: Host) -> String {
    let text = path.to_string_lossy();
    match host {
        Host::Windows => WirePath::parse(&text, host).map_or_else(|| text.into_owned(), |path| path.posix()),
        Host::Posix | Host::Wsl => text.into_owned(),
    }
}

/// `file://` and the raw path, or the drive form on Windows.
#[must_use]
pub fn raw_uri(path: &Path, host: Host) -> String {
    let text = path.to_string_lossy();
    WirePath::parse(&text, host).map_or_else(|| format!("file://{text}"), |path| path.raw_uri())
}

/// The percent-encoded address of a path of this machine.
#[must_use]
pub fn encoded_uri(path: &Path, host: Host) -> String {
    let text = path.to_string_lossy();
    WirePath::parse(&text, host).map_or_else(|| format!("file://{text}"), |path| path.encoded_uri())
}

/// `c:\x` and `c:/x` → (`c`, `\x`).
fn drive_and_colon(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    let drive = characters.next().filter(char::is_ascii_alphabetic)?;
    let rest = characters.as_str().strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with(['/', '\\'])).then_some((drive, rest))
}

/// `/mnt/c/x` → (`c`, `/x`), and the same without `mnt`.
fn drive_folder<'a>(text: &'a str, before: &str) -> Option<(char, &'a str)> {
    let mut characters = text.strip_prefix(before)?.chars();
    let drive = characters.next().filter(char::is_ascii_alphabetic)?;
    let rest = characters.as_str();
    (rest.is_empty() || rest.starts_with('/')).then_some((drive, rest))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => hex(rest.next()?)? * 16 + hex(rest.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_windows_file_has_four_names() {
        for name in [
            r"C:\Users\x",
            "c:/Users/x",
            "/c/Users/x",
            "/mnt/c/Users/x",
            "file:///c:/Users/x",
            "file:///C:/Users/x",
        ] {
            let path = WirePath::parse(name, Host::Windows).unwrap();
            assert_eq!(path.posix(), "/c/Users/x", "{name}");
            assert_eq!(path.windows(), r"C:\Users\x", "{name}");
            assert_eq!(path.wsl(), "/mnt/c/Users/x", "{name}");
            assert_eq!(path.raw_uri(), "file:///c:/Users/x", "{name}");
        }
    }

    #[test]
    fn a_one_letter_folder_is_no_drive_on_posix() {
        let path = WirePath::parse("/c/Users/x", Host::Posix).unwrap();
        assert_eq!((path.posix().as_str(), path.raw_uri().as_str()), ("/c/Users/x", "file:///c/Users/x"));
    }

    #[test]
    fn relative_paths_and_nul_are_refused() {
        for name in ["a/b", "", "../x", "/a\0b", "~/x", "c:relative"] {
            assert_eq!(WirePath::parse(name, Host::Windows), None, "{name:?}");
        }
    }

    #[test]
    fn encoding_and_decoding() {
        let path = WirePath::parse("/a b/ü%.txt", Host::Posix).unwrap();
        assert_eq!(path.encoded_uri(), "file:///a%20b/%C3%BC%25.txt");
        assert_eq!(path.raw_uri(), "file:///a b/ü%.txt");
        assert_eq!(WirePath::parse_encoded("file:///bad%2", Host::Posix), None);
    }

    proptest! {
        #[test]
        fn windows_forms_all_lead_back(drive in "[a-zA-Z]", parts in prop::collection::vec("[a-zA-Z0-9 ü._%-]{1,8}", 1..5)) {
            let given = format!("{drive}:\\{}", parts.join("\\"));
            let path = WirePath::parse(&given, Host::Windows).unwrap();
            for form in [path.posix(), path.windows(), path.wsl(), path.raw_uri()] {
                prop_assert_eq!(WirePath::parse(&form, Host::Windows), Some(path.clone()), "{}", form);
            }
            prop_assert_eq!(WirePath::parse_encoded(&path.encoded_uri(), Host::Windows), Some(path.clone()));
            prop_assert_eq!(path.windows().to_lowercase(), given.to_lowercase());
        }

        #[test]
        fn posix_paths_are_left_alone(path in "(/[a-zA-Z0-9 ü._%-]{2,8}){1,5}") {
            let read = WirePath::parse(&path, Host::Posix).unwrap();
            prop_assert_eq!(read.posix(), path.clone());
            prop_assert_eq!(WirePath::parse(&read.raw_uri(), Host::Posix).unwrap().native(Host::Posix), PathBuf::from(&path));
            prop_assert_eq!(WirePath::parse_encoded(&read.encoded_uri(), Host::Posix), Some(read));
        }

        #[test]
        fn wsl_forms_lead_back(parts in prop::collection::vec("[a-zA-Z0-9 ü._-]{1,8}", 1..5)) {
            let given = format!("/mnt/d/{}", parts.join("/"));
            let path = WirePath::parse(&given, Host::Wsl).unwrap();
            prop_assert_eq!(path.native(Host::Wsl), PathBuf::from(&given));
            prop_assert_eq!(WirePath::parse(&path.windows(), Host::Wsl), Some(path));
        }

        #[test]
        fn nothing_panics(text in "\\PC{0,40}") {
            for host in [Host::Posix, Host::Windows, Host::Wsl] {
                let _ = WirePath::parse(&text, host);
                let _ = WirePath::parse_encoded(&text, host);
            }
        }
    }
}
