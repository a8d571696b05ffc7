//! Every tool through the real CLI, as an ordinary MCP server over WebSocket.

use carrick_testkit::api::Script;
use serde_json::{Value, json};

use crate::stage::Stage;

const CODE: &str = "int twice(int a) { return  a + a; }\nint main(void) { return twice(1); }\n";

#[tokio::test]
async fn all_tools_answer_the_model() {
    let stage = Stage::set();
    let file = stage.home.write("a.txt", "one\ntwo\n").unwrap();
    let path = file.to_str().unwrap();
    // clangd, which is installed for the tests, answers about this one.
    let code = stage.home.write("m.c", CODE).unwrap();
    let mut server = stage.serve().await;
    stage.carrick(&["select", "a.txt:1"]).await;
    let uri = format!("file://{path}");
    let calls: Vec<(&str, Value, &str)> = vec![
        ("openFile", json!({"filePath": path}), "Opened file"),
        ("open_files", json!({"file_paths": [path]}), "opened_files"),
        ("getDiagnostics", json!({"uri": uri}), "diagnostics"),
        ("getCurrentSelection", json!({}), "filePath"),
        ("getLatestSelection", json!({}), "one"),
        ("getOpenEditors", json!({}), "languageId"),
        ("get_all_opened_file_paths", json!({}), path),
        ("getWorkspaceFolders", json!({}), "rootPath"),
        ("checkDocumentDirty", json!({"filePath": path}), "isDirty"),
        ("saveDocument", json!({"filePath": path}), "saved"),
        ("closeAllDiffTabs", json!({}), "CLOSED_0_DIFF_TABS"),
        (
            "openDiff",
            json!({"old_file_path": path, "new_file_path": path, "new_file_contents": "new", "tab_name": "t"}),
            "FILE_SAVED",
        ),
        ("close_tab", json!({"tab_name": "a.txt"}), "TAB_CLOSED"),
        ("getDefinition", json!({"filePath": code, "symbol": "twice", "line": 1}), "a + a"),
        ("getReferences", json!({"filePath": code, "symbol": "twice"}), "return twice(1)"),
        ("getHover", json!({"filePath": code, "symbol": "twice"}), "int twice(int a)"),
        ("getSymbols", json!({"filePath": code}), "main"),
        ("reformat_file", json!({"file_path": code}), "OK"),
        ("renameSymbol", json!({"filePath": code, "symbol": "twice", "newName": "doubled"}), "accepted"),
    ];
    let mut script = Script::when("use them all");
    for (tool, arguments, _) in &calls {
        script = script.uses(format!("mcp__x__{tool}"), arguments.clone());
    }
    stage.api.add(script.says("All used."));
    let token = lock_token(&stage);
    let print = stage.home.print("use them all", ["--allowedTools", "mcp__x"]).mcp_websocket(
        "x",
        server.port(),
        &token,
    );
    let run = tokio::spawn(print.run());
    let id = stage.proposed(&mut server).await;
    stage.carrick(&["review", "accept", &id]).await;
    let id = stage.proposed(&mut server).await;
    stage.carrick(&["review", "accept", &id]).await;
    let printed = run.await.unwrap().unwrap();
    assert!(printed.status.success(), "{}", printed.stderr);
    let results = printed.tool_results();
    assert_eq!(results.len(), calls.len(), "{results:#?}");
    for ((tool, _, expected), result) in calls.iter().zip(&results) {
        let text = result.to_string();
        assert!(text.contains(expected), "{tool}: {text}");
        assert_ne!(result["is_error"], json!(true), "{tool}: {text}");
    }
    assert_eq!(std::fs::read_to_string(code).unwrap(), CODE.replace("twice", "doubled").replace("  ", " "));
    let request = stage.api.conversation().remove(0);
    let offered = request.tool_names();
    assert!(
        offered.contains(&"mcp__x__openDiff") && offered.contains(&"mcp__x__renameSymbol"),
        "{offered:?}"
    );
}

pub(crate) fn lock_token(stage: &Stage) -> String {
    let entry = std::fs::read_dir(stage.home.config().join("ide")).unwrap().flatten().next().unwrap();
    let lock: Value = serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap();
    lock["authToken"].as_str().unwrap().to_owned()
}
