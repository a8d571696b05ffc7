//! The channel against a Neovim that is played here, byte for byte: waiting, silence, odd order, the end.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use rmpv::Value;

use super::channel::{Channel, Incoming, NeovimError};
use super::message::{self, Message};
use super::{CONTRACT, Neovim};

/// The other end.
struct Played {
    stream: UnixStream,
}

fn pair() -> (Channel, tokio::sync::mpsc::Receiver<Incoming>, Played) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let (channel, incoming) = Channel::over(ours.try_clone().unwrap(), ours).unwrap();
    (channel, incoming, Played { stream: theirs })
}

fn map(pairs: Vec<(&str, Value)>) -> Value {
    Value::Map(pairs.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

impl Played {
    /// The number and the method of the next request.
    fn asked(&mut self) -> (u32, String) {
        match message::read(&mut self.stream) {
            Some(Message::Request { id, method, .. }) => (id, method),
            other => panic!("{other:?}"),
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        std::io::Write::write_all(&mut self.stream, bytes).unwrap();
    }

    fn answer(&mut self, id: u32, value: Value) {
        self.send(&message::answer(id, Ok(value)));
    }

    fn tell(&mut self, kind: &str, payload: Value) {
        let mut bytes = Vec::new();
        let params = Value::Array(vec![kind.into(), payload]);
        let parts = Value::Array(vec![2.into(), "carrick".into(), params]);
        rmpv::encode::write_value(&mut bytes, &parts).unwrap();
        self.send(&bytes);
    }
}

/// Plays Neovim on a thread of its own.
fn play(
    mut played: Played,
    part: impl FnOnce(&mut Played) + Send + 'static,
) -> std::thread::JoinHandle<Played> {
    std::thread::spawn(move || {
        part(&mut played);
        played
    })
}

#[tokio::test]
async fn answers_find_their_callers_in_any_order() {
    let (channel, _incoming, played) = pair();
    let playing = play(played, |played| {
        let (first, second) = (played.asked().0, played.asked().0);
        played.answer(second, 2.into());
        played.answer(first, 1.into());
    });
    let (one, two) = tokio::join!(channel.call("a", vec![]), channel.call("b", vec![]));
    assert_eq!((one, two), (Ok(1.into()), Ok(2.into())));
    playing.join().unwrap();
}

#[tokio::test]
async fn a_pending_answer_is_waited_for_also_when_it_came_first() {
    for early in [false, true] {
        let (channel, _incoming, played) = pair();
        let playing = play(played, move |played| {
            let (id, _) = played.asked();
            let done = map(vec![("id", 7.into()), ("value", true.into())]);
            if early {
                played.tell("done", done.clone());
            }
            played.answer(id, map(vec![("pending", 7.into())]));
            if !early {
                played.tell("done", done);
            }
        });
        assert_eq!(channel.ask::<bool>("save", Value::Map(vec![])).await, Ok(true), "early: {early}");
        playing.join().unwrap();
    }
}

#[tokio::test]
async fn a_pending_answer_may_be_a_failure() {
    let (channel, _incoming, played) = pair();
    let playing = play(played, |played| {
        let (id, _) = played.asked();
        played.answer(id, map(vec![("pending", 1.into())]));
        played.tell("done", map(vec![("id", 1.into()), ("error", "no formatter".into())]));
    });
    let answer = channel.ask::<bool>("format", Value::Map(vec![])).await;
    assert_eq!(answer, Err(NeovimError::Refused("no formatter".into())));
    playing.join().unwrap();
}

#[tokio::test]
async fn the_end_is_told_to_everyone_who_waits() {
    let (channel, mut incoming, played) = pair();
    let playing = play(played, |played| drop(played.asked()));
    let waiting = channel.call("a", vec![]);
    let ended = async { drop(playing.join().unwrap()) };
    assert_eq!(tokio::join!(waiting, ended).0, Err(NeovimError::Gone));
    assert!(incoming.recv().await.is_none());
    assert_eq!(channel.call("b", vec![]).await, Err(NeovimError::Gone));
}

#[tokio::test(start_paused = true)]
async fn a_silent_neovim_is_not_waited_for_for_ever() {
    let (channel, _incoming, _played) = pair();
    let began = tokio::time::Instant::now();
    assert_eq!(channel.call("a", vec![]).await, Err(NeovimError::Silent));
    assert!(began.elapsed() < Duration::from_secs(60));
}

async fn greeted(contract: u32) -> Result<(), NeovimError> {
    let (channel, _incoming, played) = pair();
    let playing = play(played, move |played| {
        let (id, method) = played.asked();
        assert_eq!(method, "nvim_get_api_info");
        played.answer(id, Value::Array(vec![5.into(), Value::Map(vec![])]));
        let (id, _) = played.asked();
        let about = vec![
            ("version", "9.9".into()),
            ("contract", contract.into()),
            ("nvim", "0.12.4".into()),
            ("pid", 4.into()),
            ("cwd", "/w".into()),
            ("folders", Value::Array(vec![])),
        ];
        played.answer(id, map(about));
    });
    let greeted = Neovim::greet(channel, "0.1.0").await.map(|_| ());
    playing.join().unwrap();
    greeted
}

#[tokio::test]
async fn a_plugin_of_another_contract_is_refused_with_the_older_side_named() {
    assert_eq!(greeted(CONTRACT).await, Ok(()));
    let older = greeted(CONTRACT - 1).await.unwrap_err().to_string();
    assert!(older.contains("the plug-in is older") && older.contains("carrick plugin nvim"), "{older}");
    assert!(greeted(CONTRACT + 1).await.unwrap_err().to_string().contains("carrick is older"));
}

#[tokio::test]
async fn what_neovim_says_by_itself_comes_in_order() {
    let (_channel, mut incoming, mut played) = pair();
    played.tell("focus", Value::Map(vec![]));
    played.send(&message::request(3, "carrick_ask", vec![]));
    assert!(matches!(incoming.recv().await, Some(Incoming::Notification(method, _)) if method == "carrick"));
    assert!(
        matches!(incoming.recv().await, Some(Incoming::Request(3, method, _)) if method == "carrick_ask")
    );
}
