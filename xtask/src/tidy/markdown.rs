//! Just enough Markdown to find what a document points at: links, headings, inline code and code blocks.

use super::repo::Repo;

/// A piece of a document that may name something, with its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mention<'a> {
    /// The target of a link or an image.
    Link(&'a str),
    /// What stands between backticks in a line of prose.
    Code(&'a str),
    /// One line of a fenced block.
    Block(&'a str),
}

/// Everything in the document that may name something.
pub(super) fn mentions(text: &str) -> Vec<(usize, Mention<'_>)> {
    let mut found = Vec::new();
    for (number, line, fenced) in lines(text) {
        if fenced {
            found.push((number, Mention::Block(line)));
            continue;
        }
        let pieces: Vec<&str> = line.split('`').collect();
        // Odd pieces are between backticks; a lone backtick at the end opens nothing.
        let code = pieces.iter().skip(1).step_by(2).take(pieces.len().saturating_sub(1) / 2);
        found.extend(code.filter(|code| !code.is_empty()).map(|code| (number, Mention::Code(code))));
        found.extend(links(line).into_iter().map(|target| (number, Mention::Link(target))));
    }
    found
}

/// Headings with their text as written.
pub(super) fn headings(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let prose = lines(text).into_iter().filter(|(_, _, fenced)| !fenced);
    prose.filter_map(|(number, line, _)| {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        ((1..=6).contains(&level) && title.starts_with(' ')).then(|| (number, title.trim()))
    })
}

/// The anchors a renderer makes of the headings: lower case, punctuation gone, spaces to dashes, repeats numbered.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, title) in headings(text) {
        let kept = title
            .to_lowercase()
            .chars()
            .filter(|char| char.is_alphanumeric() || " -_".contains(*char))
            .collect::<String>();
        let slug = kept.replace(' ', "-");
        let taken = |name: &str| found.iter().any(|other| other == name);
        let free = (1..).map(|number| format!("{slug}-{number}")).find(|name| !taken(name));
        let name = if taken(&slug) { free.unwrap_or_default() } else { slug };
        found.push(name);
    }
    found
}

/// Lines with their number and whether they stand inside a fence; the fences themselves are left out.
fn lines(text: &str) -> Vec<(usize, &str, bool)> {
    let mut fence: Option<&str> = None;
    let mut found = Vec::new();
    for (number, line) in Repo::lines(text) {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => found.push((number, line, fence.is_some())),
        }
    }
    found
}

/// Targets of `[…](target)` and `[…]: target`, titles left out.
fn links(line: &str) -> Vec<&str> {
    let inline = line.split("](").skip(1).filter_map(|after| after.split([')', ' ']).next());
    let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    let first_word = definition.and_then(|target| target.split_whitespace().next());
    inline
        .chain(first_word)
        .map(|target| target.trim_matches(['<', '>']))
        .filter(|target| !target.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_code_and_blocks_are_told_apart() {
        let text = "See [a](x.md#y \"t\") and `b c`.\n```sh\ncargo [no](link)\n```\n[ref]: z.md\n";
        let expected = [
            (1, Mention::Code("b c")),
            (1, Mention::Link("x.md#y")),
            (3, Mention::Block("cargo [no](link)")),
            (5, Mention::Link("z.md")),
        ];
        assert_eq!(mentions(text), expected);
    }

    #[test]
    fn anchors_are_made_as_renderers_make_them() {
        let text =
            "# The `openDiff` tool\n## Hello, World!\n```\n# no heading\n```\n## Hello, World!\n#hash\n";
        assert_eq!(anchors(text), ["the-opendiff-tool", "hello-world", "hello-world-1"]);
    }

    #[test]
    fn a_lone_backtick_opens_nothing() {
        assert_eq!(mentions("it`s `a` b\n"), [(1, Mention::Code("s "))]);
    }
}
