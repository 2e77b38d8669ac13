//! Telling a page's language from what it declares and what it says.
//!
//! Stop words first: about every third word of a text is one, and hardly any
//! in another language, so a hundred looked-up words bear out what the page
//! declares, or that it is English, in a microsecond or two. Only pages that
//! fail this go to a detector by letter triples, which takes fifty times as
//! long: whatlang, which knows the 69 languages that matter here and says when
//! it is not sure. (whichlang is ten times quicker and as often right, on 16
//! languages; it calls Czech Vietnamese, and is never unsure.)

use gannet_model::Document;

use super::Language;
use crate::words;

/// Passages that are looked at: the longest, and several in case one is a quotation or a listing.
const PASSAGES: usize = 3;
/// Bytes that are looked at in all: a hundred words, enough for nineteen right answers out of twenty.
const BYTES: usize = 750;
/// Bytes below which letter triples are guesswork.
const ENOUGH_FOR_TRIPLES: usize = 100;
/// Share of stop words that bears out what the page declares, or English. Nine English pages out of
/// ten have more; text in other languages has less than 0.15 of English ones. Near relatives
/// (Galician for Spanish, Danish for Norwegian) pass for each other, which does little harm.
const BEARS_OUT: f32 = 0.2;
/// Share of stop words that bears out a guess by letter triples of which the detector is not sure:
/// what languages that say with endings what others say with words still have.
const BEARS_OUT_A_GUESS: f32 = 0.08;
/// Stop words at least, so that a single one does not decide a short text.
const FEWEST: u32 = 3;

/// The language of a page. Too little text and none declared: unknown.
pub(crate) fn detect(document: &Document) -> Language {
    let sample = sample(document);
    let declared = document.language.as_deref().map_or(Language::UNKNOWN, Language::from_code);
    for likely in [declared, Language::ENGLISH] {
        if has_stop_words(likely, &sample, BEARS_OUT) {
            return likely;
        }
    }
    if sample.len() < ENOUGH_FOR_TRIPLES {
        return declared;
    }
    let Some(seen) = whatlang::detect(&sample) else {
        return declared;
    };
    let guess = Language::find(|supported| supported.detected_as == Some(seen.lang()));
    if seen.is_reliable() || has_stop_words(guess, &sample, BEARS_OUT_A_GUESS) {
        return guess;
    }
    declared
}

/// True when at least this share of the sample's words are stop words of the language.
fn has_stop_words(language: Language, sample: &str, share: f32) -> bool {
    if language == Language::UNKNOWN {
        return false;
    }
    let (stop_words, words) = count_stop_words(language, sample);
    stop_words >= FEWEST && stop_words as f32 >= share * words as f32
}

/// How many of the sample's words are stop words, and how many there are.
fn count_stop_words(language: Language, sample: &str) -> (u32, u32) {
    let (mut stop_words, mut all) = (0, 0);
    words::each_word(sample, &mut String::new(), |word| {
        all += 1;
        stop_words += u32::from(language.is_stop_word(word));
    });
    (stop_words, all)
}

/// Out of the middle of the longest passages; where there is hardly any text, title and headings too.
fn sample(document: &Document) -> String {
    let mut longest: [&str; PASSAGES] = [""; PASSAGES];
    for passage in document.passages() {
        let shortest = &mut longest[0];
        if passage.text.len() > shortest.len() {
            *shortest = passage.text;
            longest.sort_by_key(|text| text.len());
        }
    }
    let mut sample = String::with_capacity(BYTES + PASSAGES);
    for (at, text) in longest.into_iter().enumerate() {
        // What shorter passages leave of their share goes to the longer ones.
        sample.push_str(middle(text, (BYTES - sample.len().min(BYTES)) / (PASSAGES - at)));
        sample.push(' ');
    }
    let headings = document.blocks.iter().filter_map(|block| block.heading.as_ref());
    let mut others = std::iter::once(&document.title).chain(headings.map(|heading| &heading.text));
    while sample.len() < ENOUGH_FOR_TRIPLES
        && let Some(text) = others.next()
    {
        sample.push_str(middle(text, BYTES));
        sample.push(' ');
    }
    sample
}

/// About so many bytes out of the middle of a text.
fn middle(text: &str, bytes: usize) -> &str {
    let start = text.floor_char_boundary(text.len().saturating_sub(bytes) / 2);
    &text[start..text.floor_char_boundary(start + bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Block, Heading};

    fn page(declared: Option<&str>, text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        let language = declared.map(str::to_owned);
        Document { language, blocks: vec![block], ..Document::default() }
    }

    #[track_caller]
    fn check(declared: Option<&str>, text: &str, expected: &str) {
        assert_eq!(detect(&page(declared, text)).name(), expected, "{text}");
    }

    const ENGLISH: &str = "The gannets came back to the rock in the spring, and by the end of May \
                           every ledge that would hold a nest had one on it.";

    #[test]
    fn a_page_shows_its_language_without_declaring_it() {
        let german = "Die Basstölpel kehrten im Frühjahr auf den Felsen zurück, und Ende Mai war \
                      jeder Absatz, der ein Nest tragen konnte, auch mit einem besetzt.";
        let french = "Les fous de Bassan sont revenus sur le rocher au printemps, et à la fin du \
                      mois de mai chaque corniche portait un nid avec un seul œuf.";
        let spanish = "Los alcatraces volvieron a la roca en primavera, y a finales de mayo cada \
                       repisa que podía sostener un nido ya tenía uno con su huevo.";
        let italian = "Le sule sono tornate sullo scoglio in primavera, e alla fine di maggio ogni \
                       sporgenza che poteva reggere un nido ne aveva già uno con un uovo.";
        let dutch = "De jan-van-genten keerden in het voorjaar terug naar de rots, en eind mei zat \
                     er op elke richel die een nest kon dragen ook werkelijk een nest.";
        let swedish = "Havssulorna kom tillbaka till klippan på våren, och i slutet av maj hade \
                       varje hylla som kunde bära ett bo också fått ett med ett ägg i.";
        let finnish = "Suulat palasivat keväällä kalliolle, ja toukokuun lopussa jokaisella \
                       kielekkeellä, joka pystyi kantamaan pesän, oli jo yksi ja siinä muna.";
        let russian = "Олуши вернулись на скалу весной, и к концу мая на каждом уступе, который \
                       мог выдержать гнездо, оно уже было, и в нём лежало по одному яйцу.";
        let greek = "Οι σούλες γύρισαν στον βράχο την άνοιξη, και στο τέλος του Μαΐου κάθε \
                     προεξοχή που μπορούσε να κρατήσει μια φωλιά είχε ήδη μία με ένα αβγό.";
        let polish = "Głuptaki wróciły na skałę wiosną, a pod koniec maja na każdej półce, która \
                      mogła utrzymać gniazdo, już jedno było, a w nim leżało jajo.";
        check(None, ENGLISH, "English");
        check(None, german, "German");
        check(None, french, "French");
        check(None, spanish, "Spanish");
        check(None, italian, "Italian");
        check(None, dutch, "Dutch");
        check(None, swedish, "Swedish");
        check(None, finnish, "Finnish");
        check(None, russian, "Russian");
        check(None, greek, "Greek");
        check(None, polish, "Polish");
    }

    #[test]
    fn what_a_page_declares_holds_unless_its_words_say_otherwise() {
        check(Some("en-us"), ENGLISH, "English");
        check(Some("de"), ENGLISH, "English");
        check(Some("de"), "Basstölpel", "German");
        check(Some("de"), "", "German");
    }

    #[test]
    fn too_little_text_and_none_declared_is_unknown() {
        check(None, "", "unknown");
        check(None, "gannet", "unknown");
        check(Some("tlh"), "nuqneH", "unknown");
    }

    /// Without blanks there are no words to look up.
    #[test]
    fn a_language_without_a_list_is_unknown_whatever_is_declared() {
        let japanese = "カツオドリは春になると岩に戻ってきて、五月の終わりには巣を支えることのできる\
                        すべての岩棚に巣があり、そのどれにも卵がひとつずつ置かれていた。";
        check(None, japanese, "unknown");
        check(Some("ja"), japanese, "unknown");
        check(Some("en"), japanese, "unknown");
    }

    #[test]
    fn titles_and_headings_speak_where_there_is_no_text() {
        let heading = Heading { level: 1, text: "Where all of them are in the winter".to_owned() };
        let document = Document {
            title: "The gannets of the Bass Rock".to_owned(),
            blocks: vec![Block { heading: Some(heading), ..Block::default() }],
            ..Document::default()
        };
        assert_eq!(detect(&document), Language::ENGLISH);
    }

    #[test]
    fn menus_do_not_hide_the_language_of_the_text() {
        let menu = "Start Kontakt Impressum ";
        let block = Block {
            text: format!("{}{ENGLISH}", menu.repeat(40)),
            breaks: (1..=40).map(|nth| (nth * menu.len()) as u32).collect(),
            ..Block::default()
        };
        let document = Document { blocks: vec![block], ..Document::default() };
        assert_eq!(detect(&document), Language::ENGLISH);
    }
}
