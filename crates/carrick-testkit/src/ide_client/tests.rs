//! The client against a small server of tungstenite's own.

use tokio::net::TcpListener;
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{HeaderValue, StatusCode};

use super::*;

const TOKEN: &str = "a token";

/// Refuses without the token; otherwise pings once and answers every request with what it was asked.
async fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let Ok(mut socket) = accept_hdr_async(stream, door).await else { return };
                let ping = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
                socket.send(Message::text(ping)).await.unwrap();
                while let Some(Ok(message)) = socket.next().await {
                    let Message::Text(text) = message else { continue };
                    let asked: Value = serde_json::from_str(&text).unwrap_or_default();
                    let Some(answer) = answer(&asked) else { continue };
                    socket.send(Message::text(answer.to_string())).await.unwrap();
                }
            });
        }
    });
    port
}

#[allow(clippy::result_large_err, reason = "tungstenite's own signature")]
fn door(request: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
    if request.headers().get("X-Claude-Code-Ide-Authorization") != Some(&HeaderValue::from_static(TOKEN)) {
        let mut refusal = ErrorResponse::new(Some("no".to_owned()));
        *refusal.status_mut() = StatusCode::UNAUTHORIZED;
        return Err(refusal);
    }
    response.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_static("mcp"));
    Ok(response)
}

fn answer(asked: &Value) -> Option<Value> {
    let id = asked.get("id")?;
    match asked["method"].as_str() {
        Some("tools/list") => Some(json!({"id": id, "result": {"tools": [{"name": "openDiff"}]}})),
        Some("bad") => Some(json!({"id": id, "error": {"code": -32601}})),
        Some(_) => Some(json!({"id": id, "result": asked})),
        None => Some(json!({"method": "pong/seen", "params": id})),
    }
}

#[tokio::test]
async fn the_handshake_is_the_clis() {
    let client = IdeClient::connect(server().await, TOKEN).await.unwrap();
    let shaken = client.handshake().await.unwrap();
    assert_eq!(shaken.initialize["id"], 0);
    assert_eq!(shaken.initialize["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(shaken.tools[0]["name"], "openDiff");
    assert_eq!(client.expect_notification("pong/seen", PATIENCE).await.unwrap(), "p");
    assert!(client.untaken().is_empty());
}

#[tokio::test]
async fn answers_are_matched_by_id_and_errors_are_errors() {
    let client = Connect::new(server().await, TOKEN).ignore_pings().open().await.unwrap();
    let first = client.begin_call("one", json!({})).await.unwrap();
    let second = client.call("two", json!({})).await.unwrap();
    assert_eq!(second["params"]["_meta"]["progressToken"], 1);
    assert_eq!(client.reply(&first, PATIENCE).await.unwrap()["result"]["params"]["name"], "one");
    assert!(client.request("bad", Value::Null).await.unwrap_err().to_string().contains("-32601"));
    client.send_fragmented(r#"{"id":"s","method":"ünïcode"}"#, 3).await.unwrap();
    assert_eq!(client.reply(&"s".into(), PATIENCE).await.unwrap()["result"]["method"], "ünïcode");
    assert_eq!(client.next(PATIENCE).await.unwrap().unwrap()["method"], "ping");
}

#[tokio::test]
async fn a_refusal_tells_its_status() {
    let port = server().await;
    let refusal = Connect::new(port, "wrong").refused().await.unwrap();
    assert_eq!((refusal.status, refusal.body.as_str()), (401, "no"));
    assert_eq!(Connect::new(port, TOKEN).without_token().refused().await.unwrap().status, 401);
}

#[tokio::test]
async fn a_close_is_seen() {
    let client = IdeClient::connect(server().await, TOKEN).await.unwrap();
    client.close(Some(1000)).await.unwrap();
    assert_eq!(client.closed(PATIENCE).await.unwrap().code, Some(1000));
}
