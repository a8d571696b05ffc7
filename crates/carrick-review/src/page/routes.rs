//! The map of the page: each path and the function that answers it.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use super::{Room, assets, contents, decide, enter, events, guard, log};

/// The largest decision: contents that a person edited, as large as the door takes them, with room for escapes.
const BODY_LIMIT: usize = 128 << 20;

pub(super) fn router(room: &Arc<Room>) -> Router {
    let inside = Router::new()
        .route("/", get(assets::index))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/events", get(events::events))
        .route("/api/reviews/{id}", get(contents::contents))
        .route("/api/reviews/{id}/decision", post(decide::decision).layer(DefaultBodyLimit::max(BODY_LIMIT)))
        .route("/api/log/{stream}/{number}", get(log::message))
        .route_layer(from_fn_with_state(Arc::clone(room), guard::visitor))
        .route("/enter/{ticket}", get(enter::enter));
    Router::new()
        .nest(room.secrets.base().trim_end_matches('/'), inside)
        .fallback(guard::no_entry)
        .layer(from_fn_with_state(Arc::clone(room), guard::stranger))
        .with_state(Arc::clone(room))
}
