//! A kernel that we start.

use std::time::Duration;

use carrick_kernel::{Choice, KernelError, Kernels, Output};
use tokio::time::timeout;

use crate::world::{World, error, until};

#[tokio::test]
async fn results_come_in_order_and_state_stays() {
    let world = World::new();
    let kernels = world.kernels();
    assert!(kernels.possible(&world.folders()));
    assert_eq!(world.text(&kernels, "1+1").await, "2");
    world.run(&kernels, "x = 41").await;
    let outputs = world.run(&kernels, "import sys\nprint('a')\nprint('b', file=sys.stderr)\nx + 1").await;
    let last = Output::Text("42".into());
    assert_eq!(outputs.last(), Some(&last));
    // Two streams, in whichever order the kernel lets go of them.
    let mut printed: Vec<char> = crate::world::texts(&outputs[..outputs.len() - 1]).chars().collect();
    printed.sort_unstable();
    assert_eq!(printed, ['\n', '\n', 'a', 'b']);
    let here = world.text(&kernels, "import os; print(os.getcwd())").await;
    assert_eq!(here.trim(), world.path("work").to_str().unwrap());
    kernels.close().await;
    assert!(world.family.pids().is_empty(), "the kernel ends with us");
    assert_eq!(world.runtime_files(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn a_plot_is_a_picture_and_html_is_text() {
    let world = World::new();
    let kernels = world.kernels();
    let outputs = world.run(&kernels, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()").await;
    let picture = outputs.iter().find_map(|output| match output {
        Output::Image { bytes, mime } => Some((bytes.as_slice(), *mime)),
        _ => None,
    });
    let (bytes, mime) = picture.unwrap_or_else(|| panic!("{outputs:?}"));
    assert!(mime == "image/png" && bytes.starts_with(b"\x89PNG"), "{mime}");
    let jpeg = "from matplotlib import pyplot as p, cbook\nimport io\nf = io.BytesIO()\np.figure().savefig(f, format='jpg')\n\
                from IPython.display import Image, HTML, display\ndisplay(Image(f.getvalue(), format='jpeg'))\np.close('all')";
    let outputs = world.run(&kernels, jpeg).await;
    assert!(
        outputs.iter().any(|output| matches!(output, Output::Image { bytes, mime: "image/jpeg" } if bytes.starts_with(b"\xff\xd8"))),
        "{outputs:?}"
    );
    assert_eq!(world.text(&kernels, "HTML('<b>bold</b>')").await, "<b>bold</b>");
}

#[tokio::test]
async fn errors_have_a_traceback_without_colours_and_input_is_explained() {
    let world = World::new();
    let kernels = world.kernels();
    let outputs = world.run(&kernels, "print('before')\n1/0").await;
    assert_eq!(outputs[0], Output::Text("before\n".into()));
    let words = error(&outputs);
    assert!(words.contains("ZeroDivisionError") && words.contains("1/0"), "{words}");
    assert!(!words.contains('\x1b'), "{words}");
    let outputs = world.run(&kernels, "input('name? ')").await;
    let words = error(&outputs);
    assert!(words.contains("input() is not possible here"), "{words}");
    assert_eq!(world.text(&kernels, "3").await, "3", "the kernel goes on");
}

#[tokio::test]
async fn dropping_the_answer_interrupts_the_kernel() {
    for mode in ["signal", "message"] {
        let world = World::new();
        world.spec(mode);
        let kernels = world.kernels();
        world.run(&kernels, "marks = []").await;
        let begun = world.path("work/begun");
        let code =
            format!("open({begun:?}, 'w').close()\nimport time\ntime.sleep(600)\nmarks.append('ran on')");
        let folders = world.folders();
        tokio::select! {
            ran = kernels.run(&folders, code) => panic!("{ran:?}"),
            () = until("the code runs", || begun.exists()) => {}
        }
        let next = timeout(Duration::from_secs(30), world.text(&kernels, "print(marks)"));
        assert_eq!(next.await.expect("the next call is not kept waiting"), "[]\n", "{mode}");
    }
}

#[tokio::test]
async fn a_kernel_that_ignores_interrupts_is_ended_and_the_next_caller_told() {
    let world = World::new();
    let kernels = world.kernels();
    let begun = world.path("work/begun");
    let code = format!(
        "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nopen({begun:?}, 'w').close()\ntime.sleep(600)"
    );
    let folders = world.folders();
    tokio::select! {
        ran = kernels.run(&folders, code) => panic!("{ran:?}"),
        () = until("the code runs", || begun.exists()) => {}
    }
    let text = world.text(&kernels, "print('new')").await;
    assert!(text.contains("a new kernel") && text.contains("did not react to an interrupt"), "{text}");
    assert!(text.ends_with("new\n"), "{text}");
}

#[tokio::test]
async fn a_dead_kernel_is_reported_and_replaced() {
    let world = World::new();
    let kernels = world.kernels();
    let outputs =
        world.run(&kernels, "x = 1\nprint('last')\nimport sys, os\nsys.stdout.flush()\nos._exit(3)").await;
    let words = error(&outputs);
    assert!(words.contains("the kernel died") && words.contains('3'), "{words}");
    assert!(words.contains("the next call gets a new kernel"), "{words}");
    let words = world.run(&kernels, "x").await;
    assert!(error(&words).contains("NameError"), "{words:?}");
    // Between two calls nobody hears it: the next one is told.
    let pid = world.text(&kernels, "import os; print(os.getpid())").await;
    let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    until("it is gone", || world.family.pids().is_empty()).await;
    let mut outputs = world.run(&kernels, "print('new')").await;
    if let Some(Output::Error(words)) = outputs.last() {
        // The code came before the news.
        assert!(words.contains("the kernel died"), "{words}");
        outputs = world.run(&kernels, "print('new')").await;
    } else {
        assert!(crate::world::texts(&outputs).contains("a new kernel"), "{outputs:?}");
    }
    assert_eq!(outputs.last(), Some(&Output::Text("new\n".into())));
}

#[tokio::test]
async fn long_output_is_cut_in_the_middle() {
    let world = World::new();
    let kernels = world.kernels();
    let text = world.text(&kernels, "for n in range(300_000): print('line', n)").await;
    assert!(text.starts_with("line 0\n") && text.ends_with("line 299999\n"), "{}", text.len());
    assert!(text.contains("bytes of output are left out here") && text.len() < 50_000, "{}", text.len());
    let text = world.text(&kernels, "print('x' * 50_000_000)").await;
    assert!(text.contains("left out") && text.len() < 50_000, "{}", text.len());
    assert_eq!(world.text(&kernels, "5").await, "5");
}

#[tokio::test]
async fn what_the_code_started_ends_with_the_kernel() {
    let world = World::new();
    let kernels = world.kernels();
    world.run(&kernels, "import subprocess; subprocess.Popen(['sleep', '600'])").await;
    assert_eq!(world.family.pids().len(), 2);
    kernels.close().await;
    until("both are gone", || world.family.pids().is_empty()).await;
    assert_eq!(world.runtime_files(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn without_a_kernel_the_words_help() {
    let world = World::new();
    std::fs::remove_dir_all(world.path("data")).unwrap();
    let kernels = world.kernels();
    assert!(!kernels.possible(&world.folders()));
    let refused = kernels.run(&world.folders(), "1".into()).await.unwrap_err();
    assert!(matches!(refused, KernelError::None { .. }));
    assert!(refused.to_string().contains("pip install ipykernel"), "{refused}");
    let kernels = world.kernels_of(Choice::Named("ir".into()));
    assert!(!kernels.possible(&world.folders()));
}

#[tokio::test]
async fn a_kernel_that_does_not_start_says_why() {
    let world = World::new();
    let spec = r#"{"argv": ["sh", "-c", "echo no such module >&2; exit 1"], "display_name": "broken"}"#;
    std::fs::write(world.path("data/kernels/python3/kernel.json"), spec).unwrap();
    let refused = world.kernels().run(&world.folders(), "1".into()).await.unwrap_err().to_string();
    assert!(refused.contains("\"broken\"") && refused.contains("exit status: 1"), "{refused}");
    assert!(refused.contains("no such module"), "{refused}");
    assert_eq!(world.runtime_files(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn a_start_that_is_given_up_leaves_nothing() {
    let world = World::new();
    let kernels = world.kernels();
    let folders = world.folders();
    tokio::select! {
        ran = kernels.run(&folders, "1".into()) => panic!("{ran:?}"),
        () = until("the process is there", || !world.family.pids().is_empty()) => {}
    }
    until("it is gone", || world.family.pids().is_empty()).await;
    assert_eq!(world.runtime_files(), Vec::<std::path::PathBuf>::new());
    assert_eq!(world.text(&kernels, "2").await, "2", "and the next start works");
}

#[tokio::test]
async fn where_paths_are_too_long_for_sockets_ports_do() {
    let world = World::new();
    let long = format!("home/{}/runtime", "long".repeat(30));
    let kernels = Kernels::new(world.places(&long), Choice::Named("python3".into()));
    assert_eq!(world.text(&kernels, "1 + 1").await, "2");
    kernels.close().await;
    assert!(world.family.pids().is_empty());
}
