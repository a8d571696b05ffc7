//! The real servers, as their makers ship them.

use std::path::PathBuf;

use carrick_core::{Format, Navigate, ServiceState, Severity, Spot, SymbolsOf};
use carrick_editors::headless::Table;
use carrick_testkit::tools;

use crate::ground::{Ground, gone};

/// The built-in table with these tools, and nothing else of the machine but what they need themselves.
fn table(names: &[&str], path: Vec<PathBuf>) -> Table {
    let mut table = Table::built_in(path);
    table.servers.retain(|server| names.contains(&server.name.as_str()));
    table
}

fn spot(path: &std::path::Path, line: u32, symbol: &str) -> Spot {
    Spot { path: path.into(), line: Some(line), character: None, symbol: Some(symbol.into()) }
}

#[tokio::test]
async fn python() {
    let path = vec![tools::folder("ruff").unwrap(), tools::folder("pyright").unwrap()];
    let ground = Ground::with(table(&["ruff", "pyright"], path));
    let file = ground.write("a.py", "value: int = 1\n");
    ground.until("a.py", |list| list.is_empty()).await;
    ground.service(ServiceState::Running).await;
    ground.write("a.py", "import os\nvalue: int = 'text'\n");
    let sources = |list: &[carrick_core::Diagnostic]| {
        list.iter().map(|it| (it.range.start.line, it.source.clone().unwrap_or_default())).collect::<Vec<_>>()
    };
    let both = |list: &[carrick_core::Diagnostic]| {
        let said = sources(list);
        said.contains(&(0, "Ruff".into())) && said.contains(&(1, "Pyright".into()))
    };
    ground.until("a.py", both).await;
    // Now that both run, the very next answer after a write is whole and about the new contents.
    ground.write("a.py", "value: int = 1\n");
    assert_eq!(ground.wrong("a.py").await, []);
    ground.write("a.py", "\nimport os\nvalue: int = 'text'\n");
    let list = ground.wrong("a.py").await;
    assert_eq!(sources(&list).first(), Some(&(1, "Ruff".into())), "{list:#?}");
    assert!(sources(&list).contains(&(2, "Pyright".into())), "{list:#?}");

    ground.write("a.py", "def add( a,b ):\n    return a+b\n\nadd(1, 2)\n");
    let change = ground.editor.reformat(file.clone()).await.unwrap().unwrap();
    assert!(change.after.starts_with("def add(a, b):\n    return a + b\n"), "{}", change.after);
    let found = ground.editor.definition(spot(&file, 3, "add")).await.unwrap();
    assert_eq!(found[0].range.start.line, 0);
    let changes = ground.editor.rename(spot(&file, 0, "add"), "sum_of".into()).await.unwrap();
    assert_eq!(&*changes[0].after, "def sum_of( a,b ):\n    return a+b\n\nsum_of(1, 2)\n");
    ground.editor.close_programs().await;
}

#[tokio::test]
async fn typescript() {
    let mut path = vec![tools::folder("typescript-language-server").unwrap()];
    path.extend(tools::program("node").unwrap().parent().map(PathBuf::from));
    let ground = Ground::with(table(&["typescript-language-server"], path));
    ground.write("tsconfig.json", r#"{"compilerOptions": {"strict": true}, "include": ["*.ts"]}"#);
    let file = ground.write("a.ts", "export const size: number = 1;\n");
    ground.write("a.ts", "export const size: number = 'x';\n");
    let list = ground.until("a.ts", |list| !list.is_empty()).await;
    assert_eq!((list[0].range.start.line, list[0].code.as_deref()), (0, Some("2322")), "{list:#?}");
    for round in 0..3 {
        ground.write("a.ts", &format!("export const size: number = {round};\n"));
        assert_eq!(ground.wrong("a.ts").await, []);
        ground.write("a.ts", &format!("\n// {round}\nexport const size: number = 'x';\nlet let = ;\n"));
        let list = ground.wrong("a.ts").await;
        assert!(
            list.iter().any(|it| it.code.as_deref() == Some("2322") && it.range.start.line == 2),
            "{list:#?}"
        );
        assert!(
            list.iter().any(|it| it.range.start.line == 3 && it.severity == Severity::Error),
            "{list:#?}"
        );
    }
    ground.write("a.ts", "export function area(a: number) { return a * a; }\nconst two = area(2);\n");
    let found = ground.editor.references(spot(&file, 1, "area"), true).await.unwrap();
    assert_eq!(found.len(), 2, "{found:#?}");
    let hover = ground.editor.hover(spot(&file, 1, "area")).await.unwrap().unwrap();
    assert!(hover.contains("function area"), "{hover}");
    ground.editor.close_programs().await;
}

#[tokio::test]
async fn c() {
    let path = tools::program("clangd").unwrap().parent().map(PathBuf::from);
    let ground = Ground::with(table(&["clangd"], path.into_iter().collect()));
    let file = ground.write("a.c", "int main(void) { return 0; }\n");
    ground.until("a.c", |list| list.is_empty()).await;
    ground.write("a.c", "int main(void) { return nothing; }\n");
    let list = ground.until("a.c", |list| !list.is_empty()).await;
    assert!(list[0].message.contains("undeclared"), "{list:#?}");
    for _ in 0..3 {
        ground.write("a.c", "int main(void) { return 0; }\n");
        assert_eq!(ground.wrong("a.c").await, []);
        ground.write("a.c", "\n\nint main(void) { int größe = 1; return nothing; }\n");
        let list = ground.wrong("a.c").await;
        assert_eq!((list[0].range.start.line, list[0].range.start.character), (2, 39), "{list:#?}");
    }
    let names = ground.editor.symbols(SymbolsOf::File(file.clone())).await.unwrap();
    assert_eq!(names[0].name, "main");
    ground.write("a.c", "int main( void ){return 0 ;}\n");
    let change = ground.editor.reformat(file).await.unwrap().unwrap();
    assert_eq!(&*change.after, "int main(void) { return 0; }\n");
    ground.editor.close_programs().await;
}

#[tokio::test]
async fn none_is_left_when_the_editor_just_goes() {
    let mut path = vec![tools::folder("typescript-language-server").unwrap(), tools::folder("ruff").unwrap()];
    path.extend(tools::program("node").unwrap().parent().map(PathBuf::from));
    let ground = Ground::with(table(&["ruff", "typescript-language-server"], path));
    ground.write("a.py", "import os\n");
    ground.write("a.ts", "const a: number = 'x';\n");
    ground.until("a.py", |list| !list.is_empty()).await;
    ground.until("a.ts", |list| !list.is_empty()).await;
    let pids: Vec<u32> = ground.services().await.iter().filter_map(|it| it.pid).collect();
    assert_eq!(pids.len(), 2);
    drop(ground);
    for pid in pids {
        gone(pid).await;
    }
}
