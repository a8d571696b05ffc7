//! `getOpenEditors`: the tabs, as the person sees them.

use carrick_core::Tab;
use serde_json::{Value, json};

use super::super::answer::{Context, Payload, Running, ToolAnswer};
use super::super::dialect::OpenEditors;
use super::super::params::arguments;
use super::super::wire;
use super::{NO_ARGUMENTS, Tool, always};

pub(super) const TOOL: Tool = Tool {
    name: "getOpenEditors",
    description: "List the open editor tabs",
    schema: NO_ARGUMENTS,
    offered: always,
    start: |context, raw| {
        let _: serde::de::IgnoredAny = arguments(raw)?;
        let (editor, context) = (context.editor()?, context.clone());
        Ok(Running::later(async move {
            Ok(Payload::Tool(match editor.tabs().await {
                Ok(tabs) => answer(&context, &tabs),
                Err(error) => error.into(),
            }))
        }))
    },
};

fn answer(context: &Context, tabs: &[Tab]) -> ToolAnswer {
    match context.dialect.open_editors {
        OpenEditors::Tabs => {
            let tabs: Vec<Value> = tabs.iter().map(|tab| full(context, tab)).collect();
            ToolAnswer::json(&json!({ "tabs": tabs }))
        }
        OpenEditors::List => {
            ToolAnswer::json(&tabs.iter().map(|tab| short(context, tab)).collect::<Vec<Value>>())
        }
    }
}

fn full(context: &Context, tab: &Tab) -> Value {
    let mut value = json!({
        "uri": wire::uri(context, &tab.path),
        "isActive": tab.is_active,
        "isPinned": tab.is_pinned,
        "isPreview": tab.is_preview,
        "isDirty": tab.is_dirty,
        "label": tab.label,
        "groupIndex": tab.group,
        "viewColumn": tab.group + 1,
        "isGroupActive": tab.is_group_active,
        "fileName": wire::path_text(context, &tab.path),
        "languageId": tab.language,
        "lineCount": tab.line_count,
        "isUntitled": tab.is_untitled,
    });
    if let (Some(range), Some(object)) = (tab.selection, value.as_object_mut()) {
        object.insert("selection".into(), wire::selected(range));
    }
    value
}

fn short(context: &Context, tab: &Tab) -> Value {
    json!({
        "uri": wire::uri(context, &tab.path),
        "isActive": tab.is_active,
        "label": tab.label,
        "languageId": tab.language,
        "isDirty": tab.is_dirty,
    })
}
