//! Work beside the conversation: subagents and commands in the background.

use serde_json::Number;

use crate::json::{Raw, record};

record! {
    /// A task began: a subagent or a command in the background.
    TaskStarted {
        must task_id: String = "task_id",
        may tool_use_id: String = "tool_use_id",
        may description: String = "description",
        may task_type: String = "task_type",
        may subagent_type: String = "subagent_type",
        may workflow_name: String = "workflow_name",
        may prompt: String = "prompt",
        may run_id: String = "run_id",
        may parent_task_id: String = "parent_task_id",
        may is_backgrounded: bool = "is_backgrounded",
        may spawn_depth: u64 = "spawn_depth",
        may ambient: bool = "ambient",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A task goes on.
    TaskProgress {
        must task_id: String = "task_id",
        may tool_use_id: String = "tool_use_id",
        may description: String = "description",
        may subagent_type: String = "subagent_type",
        may usage: TaskUsage = "usage",
        may last_tool_name: String = "last_tool_name",
        may summary: String = "summary",
        may run_id: String = "run_id",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// What a task has used.
    TaskUsage {
        may total_tokens: u64 = "total_tokens",
        may tool_uses: u64 = "tool_uses",
        may duration_ms: Number = "duration_ms",
    }
}

record! {
    /// Something about a task changed.
    TaskUpdated {
        must task_id: String = "task_id",
        may patch: TaskPatch = "patch",
        may run_id: String = "run_id",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// What changed about a task.
    TaskPatch {
        may status: String = "status",
        may description: String = "description",
        may error: String = "error",
        may end_time: Number = "end_time",
        may is_backgrounded: bool = "is_backgrounded",
    }
}

record! {
    /// A task ended.
    TaskNotification {
        must task_id: String = "task_id",
        may tool_use_id: String = "tool_use_id",
        may status: String = "status",
        may reason: String = "reason",
        may output_file: String = "output_file",
        may summary: String = "summary",
        may usage: TaskUsage = "usage",
        may resource_links: Raw = "resource_links",
        may run_id: String = "run_id",
        may skip_transcript: bool = "skip_transcript",
        may ambient: bool = "ambient",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// The tasks in the background, all of them.
    BackgroundTasksChanged {
        may tasks: Vec<BackgroundTask> = "tasks",
        may session_id: String = "session_id",
        may uuid: String = "uuid",
    }
}

record! {
    /// A task in the background.
    BackgroundTask {
        may task_id: String = "task_id",
        may task_type: String = "task_type",
        may description: String = "description",
        may subagent_type: String = "subagent_type",
        may parent_task_id: String = "parent_task_id",
        may run_id: String = "run_id",
        may ambient: bool = "ambient",
    }
}
