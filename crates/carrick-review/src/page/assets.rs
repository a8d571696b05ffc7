//! The page's own files, as they lie in the binary: compressed once when they were built, never touched again.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::{Room, secret};

/// Name and bytes of every file of the built page; none when it was not built.
const SITE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/site.rs"));

/// Where the index takes the word that lets CodeMirror bring its styles.
const NONCE: &str = "__NONCE__";

pub(super) async fn index(State(_): State<Arc<Room>>) -> Response {
    let Some(html) = find("index.html").and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
        return notice(
            StatusCode::OK,
            "This carrick was built without its page",
            "Build both with <code>cargo xtask serve</code>, or the page alone with <code>npm ci</code> and \
             <code>npm run build</code> in <code>page/</code>, then carrick again.",
        );
    };
    let Ok(nonce) = secret::random(16) else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let policy = policy(&format!("'self' 'nonce-{nonce}'"));
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(html.replace(NONCE, &nonce))).into_response()
}

/// Scripts only from our own files; styles besides only with the word of this one answer.
fn policy(styles: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src {styles}; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'"
    )
}

pub(super) async fn asset(Path(name): Path<String>) -> Response {
    match find(&format!("assets/{name}.gz")) {
        Some(bytes) => (headers(&name), bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The name of a file changes with its contents, so a browser may keep it. Every browser reads gzip.
fn headers(name: &str) -> HeaderMap {
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    };
    HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_ENCODING, HeaderValue::from_static("gzip")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
    ])
}

fn find(name: &str) -> Option<&'static [u8]> {
    SITE.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// What the whole page may weigh, every language included. It is read by people on slow links over SSH, too.
#[cfg(test)]
const SIZE_LIMIT: usize = 400_000;

/// A page of two sentences, for those who cannot have the real one.
pub(super) fn notice(status: StatusCode, title: &str, words: &str) -> Response {
    // Without randomness the sentences come without their styles.
    let nonce = secret::random(16).unwrap_or_default();
    let html = include_str!("notice.html").replace("{title}", title).replace("{words}", words);
    let policy = format!("default-src 'none'; style-src 'nonce-{nonce}'; frame-ancestors 'none'");
    (status, [(header::CONTENT_SECURITY_POLICY, policy)], Html(html.replace(NONCE, &nonce))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_light() {
        let size: usize = SITE.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(size <= SIZE_LIMIT, "the page has {size} bytes compressed, more than {SIZE_LIMIT}");
    }

    #[test]
    fn what_is_not_compressed_takes_a_word_and_loads_nothing_from_elsewhere() {
        let html = find("index.html").map(String::from_utf8_lossy).unwrap_or_default();
        assert!(html.is_empty() || (html.contains(NONCE) && !html.contains("//")), "{html}");
    }
}
