//! Every part of the load runs against every server, with next to no work. What it costs is not looked at.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use serde_json::Value;

#[test]
fn every_load_reaches_every_server() {
    let rows = smoke("desk");
    for row in rows.iter().filter(|row| !of_the_real_program(row)) {
        for who in ["bare", "carrick", "rmcp"] {
            assert!(row[who].is_number(), "{} of {who}", row["key"]);
        }
    }
}

#[test]
fn the_sdk_is_measured_beside_everyone() {
    let rows = smoke("stream");
    assert!(rows.len() >= 12, "{rows:?}");
    for row in rows {
        assert!(row["ours"].is_number() && row["theirs"].is_number(), "{row}; run `cargo xtask test`");
    }
}

fn smoke(table: &str) -> Vec<Value> {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_carrick-bench"));
    let bench = bench.args(["--smoke", "--json", "--only", table]).output().unwrap();
    assert!(bench.status.success(), "{}", String::from_utf8_lossy(&bench.stderr));
    serde_json::from_slice(&bench.stdout).unwrap()
}

fn of_the_real_program(row: &Value) -> bool {
    let keys = ["fresh", "start", "idle_memory", "idle_wakes", "client_wakes", "wakes_per_ping"];
    keys.iter().any(|key| row["key"] == *key)
}
