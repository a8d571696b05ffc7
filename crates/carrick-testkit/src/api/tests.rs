//! The API spoken to over a plain socket, so that what is tested is what the CLI meets.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;

async fn exchange(api: &Api, requests: &[String]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", api.port())).await.unwrap();
    for request in requests {
        stream.write_all(request.as_bytes()).await.unwrap();
    }
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

fn post(body: &Value) -> String {
    let body = body.to_string();
    format!("POST /v1/messages?beta=true HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn asking(prompt: &str, stream: bool) -> Value {
    let messages = json!([{"role": "user", "content": prompt}]);
    json!({"model": "m", "stream": stream, "tools": [{"name": "Read"}], "messages": messages})
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let api = Api::start().unwrap();
    api.add(Script::when("one").says("first")).add(Script::when("two").says("second"));
    let answer = exchange(&api, &[post(&asking("one", false)), post(&asking("two", false))]).await;
    assert!(answer.contains("first") && answer.contains("second"), "{answer}");
    assert_eq!(api.requests().len(), 2);
}

#[tokio::test]
async fn a_stream_carries_the_events_in_order() {
    let api = Api::start().unwrap();
    let turn = Turn::new().thinking("hm").text("hello").tool_use("Read", json!({"file_path": "/a"}));
    api.add(Script::when("go").turn(turn));
    let answer = exchange(&api, &[post(&asking("go", true))]).await;
    let names: Vec<_> = answer.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!(names.first(), Some(&"message_start"));
    assert_eq!(names.last(), Some(&"message_stop"));
    assert_eq!(names.iter().filter(|name| **name == "content_block_start").count(), 3);
    assert!(answer.contains("\"stop_reason\":\"tool_use\""), "{answer}");
}

#[tokio::test]
async fn failures_run_out_and_errors_do_not() {
    let api = Api::start().unwrap();
    let flaky = Turn::new().text("at last").after_failures(1, Failure::overloaded());
    api.add(Script::when("flaky").turn(flaky));
    api.add(Script::when("never").turn(Turn::error(400, "invalid_request_error", "no")));
    let answer = exchange(&api, &[post(&asking("flaky", false)), post(&asking("flaky", false))]).await;
    assert!(answer.contains("529") && answer.contains("at last"), "{answer}");
    let answer = exchange(&api, &[post(&asking("never", false)), post(&asking("never", true))]).await;
    assert_eq!(answer.matches("HTTP/1.1 400").count(), 2, "{answer}");
}

#[tokio::test]
async fn a_broken_stream_ends_without_its_last_event() {
    let api = Api::start().unwrap();
    api.add(Script::when("break").turn(Turn::new().text("half").break_stream()));
    let answer = exchange(&api, &[post(&asking("break", true))]).await;
    assert!(answer.contains("half") && !answer.contains("message_stop"), "{answer}");
}

#[tokio::test]
async fn a_held_answer_waits_for_its_gate_and_requests_can_be_waited_for() {
    let api = Api::start().unwrap();
    let gate = Gate::new();
    api.add(Script::when("hold").turn(Turn::new().hold(&gate).text("released")));
    let body = [post(&asking("hold \"quoted\"", false))];
    let seen = async {
        let wanted = |request: &Request| request.contains("hold \"quoted\"");
        api.wait_for_request(wanted, Duration::from_secs(5)).await.unwrap();
        gate.open();
    };
    let (answer, ()) = tokio::join!(exchange(&api, &body), seen);
    assert!(answer.contains("released"), "{answer}");
    let missing = api.wait_for_request(|request| request.contains("absent"), Duration::from_millis(10)).await;
    assert!(missing.unwrap_err().to_string().contains("/v1/messages"));
}

#[tokio::test]
async fn what_the_cli_asks_by_itself_gets_a_plain_answer() {
    let api = Api::start().unwrap();
    api.add(Script::when("prompt").says("from the script"));
    let mut title = asking("name this: prompt", false);
    title["tools"] = json!([]);
    let head = "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n".to_owned();
    let get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n".to_owned();
    let answer = exchange(&api, &[head, get, post(&title)]).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("HTTP/1.1 404"), "{answer}");
    assert!(answer.contains("\"ok\"") && !answer.contains("from the script"), "{answer}");
}
