//! The secret that a client has to bring. It is never printed: not by Debug, not in a log.

use std::fmt;

use subtle::ConstantTimeEq;

/// The token of one desk.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new token: 32 bytes from the system's generator, in hexadecimal.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn random() -> std::io::Result<Self> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// A token that was kept; `None` for a text that no header could carry or that is too short to be a secret.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let fits = text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.into()))
    }

    /// The secret itself, for the lock file and the state file alone.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares without telling by its duration where the first difference is.
    pub(crate) fn matches(&self, brought: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(brought).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_never_shown() {
        let token = Token::random().unwrap();
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!(token.reveal().len(), 64);
        assert_ne!(token, Token::random().unwrap());
    }

    #[test]
    fn matches_only_itself() {
        let token = Token::random().unwrap();
        assert!(token.matches(token.reveal().as_bytes()));
        assert!(!token.matches(b""));
        assert!(!token.matches(&token.reveal().as_bytes()[..63]));
    }

    #[test]
    fn refuses_what_is_no_secret() {
        assert!(Token::from_text("short").is_none());
        assert!(Token::from_text(&"x y".repeat(20)).is_none());
    }
}
