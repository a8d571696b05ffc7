//! The kernel of a notebook that is open in a real JupyterLab.

use carrick_kernel::{Choice, Kernels, Output};
use carrick_testkit::jupyter::Lab;

use crate::world::{World, error, until};

/// A Lab that shows the whole world, with a notebook open inside the workspace.
fn lab(world: &World) -> (Lab, String) {
    let lab = Lab::start(&world.path("home"), &world.path("")).unwrap();
    let kernel = lab.open("work/inside.ipynb").unwrap();
    (lab, kernel)
}

fn file(kernel: &str) -> String {
    format!("kernel-{kernel}.json")
}

#[tokio::test]
async fn variables_are_shared_and_the_kernel_outlives_us() {
    let world = World::new();
    let (lab, kernel) = lab(&world);
    lab.open("outside.ipynb").unwrap();
    let kernels = world.kernels();
    world.run(&kernels, "shared = 41").await;
    assert!(world.family.pids().is_empty(), "nothing was started");
    assert!(kernels.known().unwrap().what.ends_with("work/inside.ipynb"));
    // Another client of the same kernel, as the notebook's page is one.
    let page = world.kernels_of(Choice::File(file(&kernel).into()));
    assert!(page.possible(&world.folders()));
    assert_eq!(world.text(&page, "shared + 1").await, "42");
    kernels.close().await;
    page.close().await;
    assert_eq!(lab.kernels().unwrap().as_array().unwrap().len(), 2, "they are not ours to end");
    let again = world.kernels();
    assert_eq!(world.text(&again, "shared").await, "41");
    refuses_input(&world, &again).await;
}

async fn refuses_input(world: &World, kernels: &Kernels) {
    let outputs = world.run(kernels, "input()").await;
    assert!(error(&outputs).contains("input() is not possible here"), "{outputs:?}");
}

#[tokio::test]
async fn only_our_own_code_is_interrupted() {
    let world = World::new();
    let (_lab, kernel) = lab(&world);
    let (ours, page) = (world.kernels(), world.kernels_of(Choice::File(file(&kernel).into())));
    let (begun, go) = (world.path("work/begun"), world.path("work/go"));
    let wait = format!(
        "import os, time\nopen({begun:?}, 'w').close()\nwhile not os.path.exists({go:?}): time.sleep(0.01)\nprint('whole')"
    );
    let folders = world.folders();
    let persons = async { world.text(&page, &wait).await };
    let agents = async {
        until("the person's code runs", || begun.exists()).await;
        let queued = ours.run(&folders, "import time\nleft = 1\ntime.sleep(600)".into());
        // It waits behind the person's code; then the agent gives up.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(500), queued).await;
        std::fs::write(&go, "").unwrap();
    };
    let (whole, ()) = tokio::join!(persons, agents);
    assert_eq!(whole, "whole\n", "the person's code ran to its end");
    assert_eq!(world.text(&ours, "2 + 2").await, "4", "and ours was stopped when its turn came");
}

#[tokio::test]
async fn our_errors_do_not_put_aside_what_the_person_has_waiting() {
    let world = World::new();
    let (_lab, kernel) = lab(&world);
    let (ours, page) = (world.kernels(), world.kernels_of(Choice::File(file(&kernel).into())));
    world.run(&page, "1").await;
    let (begun, go) = (world.path("work/begun"), world.path("work/go"));
    let fails = format!(
        "import os, time\nopen({begun:?}, 'w').close()\nwhile not os.path.exists({go:?}): time.sleep(0.01)\n1/0"
    );
    let agents = world.run(&ours, &fails);
    let persons = async {
        until("our code runs", || begun.exists()).await;
        let waiting = world.text(&page, "'not put aside'");
        let go = async { std::fs::write(&go, "").unwrap() };
        tokio::join!(waiting, go).0
    };
    let (outputs, text) = tokio::join!(agents, persons);
    assert!(error(&outputs).contains("ZeroDivisionError"), "{outputs:?}");
    assert_eq!(text, "'not put aside'");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kernel_that_goes_is_reported_and_another_one_found() {
    let world = World::new();
    let (lab, kernel) = lab(&world);
    let kernels = world.kernels();
    let begun = world.path("work/begun");
    let sleep = format!("import time\nopen({begun:?}, 'w').close()\ntime.sleep(600)");
    let restart = async {
        until("the code runs", || begun.exists()).await;
        tokio::task::block_in_place(|| lab.restart(&kernel)).unwrap();
    };
    let (outputs, ()) = tokio::join!(world.run(&kernels, &sleep), restart);
    let words = error(&outputs);
    assert!(words.contains("the kernel"), "{words}");
    assert_eq!(world.text(&kernels, "6 * 7").await, "42");
    lab.end_kernel(&kernel).unwrap();
    let outputs = world.run(&kernels, "6 * 7").await;
    let [Output::Text(note), Output::Text(answer)] = &outputs[..] else { panic!("{outputs:?}") };
    assert!(note.contains("a new kernel") && answer == "42", "{outputs:?}");
    assert_eq!(world.family.pids().len(), 1, "with no notebook open one is started");
    kernels.close().await;
}
