//! What a kernel shows comes in several forms at once; these are the ones that an agent can use.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jupyter_protocol::{Media, MediaType};

use crate::Output;

/// Pictures first; then the plain text, unless it only names an object and there is something better.
pub(crate) fn pieces(media: &Media) -> Vec<Output> {
    let mut pieces: Vec<Output> = media.content.iter().filter_map(image).collect();
    let plain = media.content.iter().find_map(|form| match form {
        MediaType::Plain(text) => Some(text.as_str()),
        _ => None,
    });
    let richer = RICHER.iter().find_map(|rich| media.content.iter().find_map(rich));
    let better = richer.is_some() || !pieces.is_empty();
    match (plain, richer) {
        (Some(text), _) if !(better && only_names(text)) => pieces.push(Output::Text(text.into())),
        (_, Some(text)) => pieces.push(Output::Text(text.into())),
        _ => {}
    }
    pieces
}

fn image(form: &MediaType) -> Option<Output> {
    let (data, mime) = match form {
        MediaType::Png(data) => (data, "image/png"),
        MediaType::Jpeg(data) => (data, "image/jpeg"),
        _ => return None,
    };
    // Kernels break the lines of base64.
    let data: String = data.split_whitespace().collect();
    Some(match STANDARD.decode(data) {
        Ok(bytes) => Output::Image { bytes, mime },
        Err(error) => Output::Text(format!("[an {mime} that cannot be read: {error}]")),
    })
}

/// `<Figure size 640x480 with 1 Axes>`, `<IPython.core.display.HTML object>`.
fn only_names(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('<') && text.ends_with('>') && !text.contains('\n')
}

/// Forms that are text, the most readable first.
const RICHER: [fn(&MediaType) -> Option<&str>; 4] = [
    |form| if let MediaType::Markdown(text) = form { Some(text) } else { None },
    |form| if let MediaType::Html(text) = form { Some(text) } else { None },
    |form| if let MediaType::Latex(text) = form { Some(text) } else { None },
    |form| if let MediaType::Svg(text) = form { Some(text) } else { None },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(forms: Vec<MediaType>) -> Vec<Output> {
        pieces(&Media::new(forms))
    }

    fn plain(text: &str) -> MediaType {
        MediaType::Plain(text.into())
    }

    #[test]
    fn a_plot_is_its_picture() {
        let png = MediaType::Png("aGVs\nbG8=\n".into());
        let image = Output::Image { bytes: b"hello".to_vec(), mime: "image/png" };
        assert_eq!(of(vec![plain("<Figure size 640x480>"), png]), [image]);
        let jpeg = MediaType::Jpeg("????".into());
        assert!(matches!(&of(vec![jpeg])[0], Output::Text(note) if note.contains("cannot be read")));
    }

    #[test]
    fn a_table_is_its_text_and_html_alone_is_text() {
        let table = MediaType::Html("<table></table>".into());
        assert_eq!(of(vec![table.clone(), plain("   a\n0  1")]), [Output::Text("   a\n0  1".into())]);
        let html = || [Output::Text("<table></table>".into())];
        assert_eq!(of(vec![plain("<IPython.core.display.HTML object>"), table.clone()]), html());
        assert_eq!(of(vec![table]), html());
        assert_eq!(of(vec![plain("<object at 0x7f>")]), [Output::Text("<object at 0x7f>".into())]);
    }
}
