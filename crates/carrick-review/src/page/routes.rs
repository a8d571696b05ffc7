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
    let base = room.secrets.base();
    let at = |path: &str| format!("{base}{path}");
    let decide = post(decide::decision).layer(DefaultBodyLimit::max(BODY_LIMIT));
    Router::new()
        .route(&at(""), get(assets::index))
        .route(&at("assets/{name}"), get(assets::asset))
        .route(&at("api/events"), get(events::events))
        .route(&at("api/reviews/{id}"), get(contents::contents))
        .route(&at("api/reviews/{id}/decision"), decide)
        .route(&at("api/log/{stream}/{number}"), get(log::message))
        .route_layer(from_fn_with_state(Arc::clone(room), guard::visitor))
        .route(&at("enter/{ticket}"), get(enter::enter))
        .fallback(guard::no_entry)
        .layer(from_fn_with_state(Arc::clone(room), guard::stranger))
        .with_state(Arc::clone(room))
}
