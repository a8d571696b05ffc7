//! Every part of the load runs against every server, with next to no work. What it costs is not looked at.

use std::process::Command;

use serde_json::Value;

#[test]
fn every_load_reaches_every_server() {
    let bench =
        Command::new(env!("CARGO_BIN_EXE_carrick-bench")).args(["--smoke", "--json"]).output().unwrap();
    assert!(bench.status.success(), "{}", String::from_utf8_lossy(&bench.stderr));
    let rows: Vec<Value> = serde_json::from_slice(&bench.stdout).unwrap();
    for row in rows.iter().filter(|row| !of_the_real_program(row)) {
        for who in ["bare", "carrick", "rmcp"] {
            assert!(row[who].is_number(), "{} of {who}", row["key"]);
        }
    }
}

fn of_the_real_program(row: &Value) -> bool {
    let keys = ["fresh", "start", "idle_memory", "idle_wakes", "client_wakes", "wakes_per_ping"];
    keys.iter().any(|key| row["key"] == *key)
}
