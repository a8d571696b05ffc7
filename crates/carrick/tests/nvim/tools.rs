//! The tools work on Neovim's own buffers.

use serde_json::json;

use crate::neovim::{NEWEST, Neovim, OLDEST, client_of, object, text};
use crate::world::{PATIENCE, World};

async fn buffers(which: &str) {
    let world = World::new();
    let file = world.write("src/b.rs", "fn main() {\n    let ä = \"😀\";\n}\n");
    let neovim = Neovim::start(&world, which, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;

    let asked = json!({"filePath": file, "startText": "let ä", "endText": "😀"});
    let opened = client.call("openFile", asked).await.unwrap();
    assert_eq!(text(&opened), "Opened file and selected text from \"let ä\" to \"😀\"");
    assert_eq!(neovim.lua("return vim.fn.expand('%:p')").await, json!(file));
    let opened =
        client.call("openFile", json!({"filePath": file, "startLine": 2, "endLine": 3})).await.unwrap();
    assert_eq!(text(&opened), "Opened file and selected lines 2 to 3");
    let missing = client.call("openFile", json!({"filePath": file, "startText": "nowhere"})).await.unwrap();
    assert_eq!(text(&missing), "Opened file, but text \"nowhere\" not found");

    let tabs = object(&client.call("getOpenEditors", json!({})).await.unwrap());
    let tab = tabs["tabs"].as_array().unwrap().iter().find(|tab| tab["label"] == "b.rs").unwrap();
    assert_eq!(
        (&tab["isActive"], &tab["languageId"], &tab["lineCount"]),
        (&json!(true), &json!("rust"), &json!(3))
    );
    assert_eq!(tab["isDirty"], false);

    neovim.lua("vim.cmd('stopinsert') vim.api.nvim_buf_set_lines(0, 0, 1, false, {'fn other() {'})").await;
    let dirty = object(&client.call("checkDocumentDirty", json!({"filePath": file})).await.unwrap());
    assert_eq!((&dirty["success"], &dirty["isDirty"]), (&json!(true), &json!(true)));
    neovim.lua("vim.g.written = 0 vim.api.nvim_create_autocmd('BufWritePost', {callback = function() vim.g.written = 1 end})").await;
    let saved = object(&client.call("saveDocument", json!({"filePath": file})).await.unwrap());
    assert_eq!(saved["saved"], true);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("fn other"));
    assert_eq!(neovim.lua("return vim.g.written").await, 1);

    neovim
        .lua("vim.diagnostic.set(vim.api.nvim_create_namespace('t'), vim.fn.bufnr('b.rs'), {{lnum = 1, col = 14, \
              end_lnum = 1, end_col = 18, message = 'odd', severity = 2, source = 'test', code = 'E1'}})")
        .await;
    let uri = format!("file://{}", file.display());
    let said = object(&client.call("getDiagnostics", json!({"uri": uri})).await.unwrap());
    // Fourteen bytes before the emoji are thirteen units, because of the ä; its own four bytes are two.
    let range = json!({"start": {"line": 1, "character": 13}, "end": {"line": 1, "character": 15}});
    let expected = json!([{"uri": uri, "diagnostics": [
        {"message": "odd", "severity": "Warning", "range": range, "source": "test", "code": "E1"}]}]);
    assert_eq!(said, expected);

    client.call("close_tab", json!({"tab_name": "b.rs"})).await.unwrap();
    let closed = object(&client.call("checkDocumentDirty", json!({"filePath": file})).await.unwrap());
    assert_eq!(closed["success"], false);
    let outside = client.call("openFile", json!({"filePath": "/etc/passwd"})).await.unwrap();
    assert_eq!(outside["isError"], true);
    assert!(text(&outside).contains("outside the workspace"), "{outside}");
}

#[tokio::test]
async fn tools_work_on_buffers_of_the_newest() {
    buffers(NEWEST).await;
}

#[tokio::test]
async fn tools_work_on_buffers_of_the_oldest() {
    buffers(OLDEST).await;
}

#[tokio::test]
async fn a_formatter_of_neovim_is_offered_while_there_is_one() {
    let world = World::new();
    let neovim = Neovim::start(&world, NEWEST, &["a.txt"]).await;
    let client = client_of(&world, std::process::id()).await;
    neovim.lua("vim.bo.formatprg = 'tr a-z A-Z' require('carrick.job').notify('tabs', {})").await;
    client.expect_notification("notifications/tools/list_changed", PATIENCE).await.unwrap();
    let tools = client.request("tools/list", json!({})).await.unwrap().to_string();
    assert!(tools.contains("reformat_file"));
    let file = world.work().join("a.txt");
    let done = client.call("reformat_file", json!({"file_path": file})).await.unwrap();
    assert_eq!(text(&done), "OK");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "ONE\nTWO\nTHREE\n");
    neovim.wait("the buffer follows", "vim.fn.getline(1) == 'ONE'").await;
    neovim.lua("vim.api.nvim_buf_set_lines(0, 0, 1, false, {'mine'})").await;
    let refused = client.call("reformat_file", json!({"file_path": file})).await.unwrap();
    assert!(text(&refused).contains("not saved"), "{refused}");
}
