//! Even a panic leaves no lock file.

use crate::world::World;

#[tokio::test]
async fn a_panic_leaves_nothing() {
    let world = World::new();
    let mut command = world.command(&["serve", "--json"]);
    command.env("CARRICK_TEST_PANIC", "1");
    let done = crate::world::finish(command).await;
    assert_eq!(done.code, 101, "{}", done.err);
    assert!(done.out.contains("\"port\""), "it was ready before");
    assert!(world.locks().is_empty());
    assert!(world.runtime_files().is_empty(), "{:?}", world.runtime_files());
}
