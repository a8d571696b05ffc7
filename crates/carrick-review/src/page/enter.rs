//! The way in: a ticket from the address is exchanged for the cookie, and the address becomes a clean one.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::{Room, guard};

pub(super) async fn enter(
    State(room): State<Arc<Room>>,
    Path(ticket): Path<String>,
    headers: HeaderMap,
) -> Response {
    let base = room.secrets.base();
    if room.secrets.redeem(&ticket) {
        return (
            StatusCode::SEE_OTHER,
            [(header::LOCATION, base), (header::SET_COOKIE, room.secrets.set_cookie())],
        )
            .into_response();
    }
    // A link that is opened again in the browser that used it leads to the page all the same.
    let cookie = headers.get(header::COOKIE).and_then(|value| value.to_str().ok());
    if cookie.is_some_and(|cookie| room.secrets.opens(cookie)) {
        return (StatusCode::SEE_OTHER, [(header::LOCATION, base)]).into_response();
    }
    guard::no_entry().await
}
