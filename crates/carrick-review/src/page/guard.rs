//! Who may come in: checked before anything else is looked at, for every path.
//!
//! A name that only looks like us (Host), a page of somebody else (Origin, Sec-Fetch-Site) and a visitor without the
//! cookie are turned away. SameSite alone would not do: for browsers every port of 127.0.0.1 is the same site.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Room, assets};

/// What every answer carries, so that a browser loads nothing from elsewhere and shows us nowhere else.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=()",
    ),
];

/// The outer check, for every path there is or is not.
pub(super) async fn stranger(State(room): State<Arc<Room>>, request: Request, next: Next) -> Response {
    let answer = if is_foreign(room.port, request.method(), request.headers()) {
        (StatusCode::FORBIDDEN, "Requests from other pages and under other names are refused.\n")
            .into_response()
    } else {
        next.run(request).await
    };
    with_headers(answer)
}

/// The inner check: the cookie.
pub(super) async fn visitor(State(room): State<Arc<Room>>, request: Request, next: Next) -> Response {
    let mut cookies =
        request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    if cookies.any(|cookie| room.secrets.opens(cookie)) {
        return next.run(request).await;
    }
    no_entry().await
}

/// For those without a cookie, and for every path that does not exist.
pub(super) async fn no_entry() -> Response {
    assets::notice(
        StatusCode::UNAUTHORIZED,
        "This page needs a fresh link",
        "A link to the review page works once, in one browser.",
    )
}

fn with_headers(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    answer
}

fn is_foreign(port: u16, method: &Method, headers: &HeaderMap) -> bool {
    let Some(host) = only(headers, header::HOST) else { return true };
    let ours = host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}");
    !ours || foreign_origin(host, method, headers) || foreign_fetch(headers)
}

/// What only looks may come without an Origin; what decides may not.
fn foreign_origin(host: &str, method: &Method, headers: &HeaderMap) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return !matches!(*method, Method::GET | Method::HEAD);
    }
    only(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://")) != Some(host)
}

/// Browsers say where a request comes from. A person may follow a link from anywhere; nothing else may be asked for
/// by other pages.
fn foreign_fetch(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let navigation = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        && headers.get("sec-fetch-dest").is_some_and(|dest| dest == "document");
    !navigation && !matches!(site, None | Some(b"same-origin" | b"none"))
}

/// A header that must not be there twice.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(method: &Method, lines: &[(&str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
        }
        is_foreign(7, method, &headers)
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:7");

    #[test]
    fn our_own_page_and_a_typed_address_come_in() {
        assert!(!foreign(&Method::GET, &[HOST]));
        assert!(!foreign(&Method::GET, &[("host", "localhost:7"), ("sec-fetch-site", "none")]));
        let own = ("origin", "http://127.0.0.1:7");
        assert!(!foreign(&Method::POST, &[HOST, own, ("sec-fetch-site", "same-origin")]));
        let link = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert!(!foreign(&Method::GET, &[&[HOST][..], &link].concat()));
    }

    #[test]
    fn other_names_are_refused() {
        for host in ["evil.example:7", "127.0.0.1:8", "127.0.0.1", "127.0.0.1:7.evil.example", "[::1]:7", ""]
        {
            assert!(foreign(&Method::GET, &[("host", host)]), "{host}");
        }
        assert!(foreign(&Method::GET, &[]));
        assert!(foreign(&Method::GET, &[HOST, HOST]));
    }

    #[test]
    fn other_pages_are_refused() {
        for origin in
            ["http://evil.example", "null", "http://127.0.0.1:8", "https://127.0.0.1:7", "http://localhost:7"]
        {
            assert!(foreign(&Method::GET, &[HOST, ("origin", origin)]), "{origin}");
        }
        assert!(foreign(&Method::POST, &[HOST]), "a decision without an Origin");
        for site in ["cross-site", "same-site"] {
            assert!(foreign(&Method::GET, &[HOST, ("sec-fetch-site", site)]), "{site}");
            let frame = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
            assert!(foreign(&Method::GET, &[&[HOST, ("sec-fetch-site", site)][..], &frame].concat()));
        }
    }
}
