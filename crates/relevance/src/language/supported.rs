//! Which languages have stop words, and which of them stems too.
//!
//! Only languages that put blanks between their words: without blanks there is
//! no word to look up (Chinese, Japanese, Thai).

use rust_stemmers::Algorithm;
use whatlang::Lang;

/// What is known of one language.
pub(super) struct Supported {
    /// Its English name.
    pub(super) name: &'static str,
    /// Its ISO 639-1 code, as pages declare it and as the stop words are filed.
    pub(super) code: &'static str,
    /// What the detector calls it; `None` when it cannot tell it and only pages themselves can.
    pub(super) detected_as: Option<Lang>,
    /// How its words are stemmed, if they are.
    pub(super) stemmer: Option<Algorithm>,
}

/// Stop words and stems.
const fn full(
    name: &'static str,
    code: &'static str,
    detected_as: Lang,
    stemmer: Algorithm,
) -> Supported {
    Supported { name, code, detected_as: Some(detected_as), stemmer: Some(stemmer) }
}

/// Stop words only.
const fn plain(name: &'static str, code: &'static str, detected_as: Lang) -> Supported {
    Supported { name, code, detected_as: Some(detected_as), stemmer: None }
}

/// Stop words only, and only where the page says so.
const fn declared(name: &'static str, code: &'static str) -> Supported {
    Supported { name, code, detected_as: None, stemmer: None }
}

/// The place of English in the table.
pub(super) const ENGLISH: usize = 0;

pub(super) const SUPPORTED: [Supported; 56] = [
    full("English", "en", Lang::Eng, Algorithm::English),
    full("Arabic", "ar", Lang::Ara, Algorithm::Arabic),
    full("Danish", "da", Lang::Dan, Algorithm::Danish),
    full("Dutch", "nl", Lang::Nld, Algorithm::Dutch),
    full("Finnish", "fi", Lang::Fin, Algorithm::Finnish),
    full("French", "fr", Lang::Fra, Algorithm::French),
    full("German", "de", Lang::Deu, Algorithm::German),
    full("Greek", "el", Lang::Ell, Algorithm::Greek),
    full("Hungarian", "hu", Lang::Hun, Algorithm::Hungarian),
    full("Italian", "it", Lang::Ita, Algorithm::Italian),
    full("Norwegian", "no", Lang::Nob, Algorithm::Norwegian),
    full("Portuguese", "pt", Lang::Por, Algorithm::Portuguese),
    full("Romanian", "ro", Lang::Ron, Algorithm::Romanian),
    full("Russian", "ru", Lang::Rus, Algorithm::Russian),
    full("Spanish", "es", Lang::Spa, Algorithm::Spanish),
    full("Swedish", "sv", Lang::Swe, Algorithm::Swedish),
    full("Tamil", "ta", Lang::Tam, Algorithm::Tamil),
    full("Turkish", "tr", Lang::Tur, Algorithm::Turkish),
    plain("Afrikaans", "af", Lang::Afr),
    plain("Armenian", "hy", Lang::Hye),
    plain("Azerbaijani", "az", Lang::Aze),
    plain("Belarusian", "be", Lang::Bel),
    plain("Bengali", "bn", Lang::Ben),
    plain("Bulgarian", "bg", Lang::Bul),
    plain("Catalan", "ca", Lang::Cat),
    plain("Croatian", "hr", Lang::Hrv),
    plain("Czech", "cs", Lang::Ces),
    plain("Esperanto", "eo", Lang::Epo),
    plain("Estonian", "et", Lang::Est),
    plain("Gujarati", "gu", Lang::Guj),
    plain("Hebrew", "he", Lang::Heb),
    plain("Hindi", "hi", Lang::Hin),
    plain("Indonesian", "id", Lang::Ind),
    plain("Korean", "ko", Lang::Kor),
    plain("Latin", "la", Lang::Lat),
    plain("Latvian", "lv", Lang::Lav),
    plain("Lithuanian", "lt", Lang::Lit),
    plain("Marathi", "mr", Lang::Mar),
    plain("Nepali", "ne", Lang::Nep),
    plain("Persian", "fa", Lang::Pes),
    plain("Polish", "pl", Lang::Pol),
    plain("Slovak", "sk", Lang::Slk),
    plain("Slovene", "sl", Lang::Slv),
    plain("Tagalog", "tl", Lang::Tgl),
    plain("Ukrainian", "uk", Lang::Ukr),
    plain("Urdu", "ur", Lang::Urd),
    plain("Uzbek", "uz", Lang::Uzb),
    plain("Vietnamese", "vi", Lang::Vie),
    plain("Zulu", "zu", Lang::Zul),
    declared("Albanian", "sq"),
    declared("Basque", "eu"),
    declared("Galician", "gl"),
    declared("Irish", "ga"),
    declared("Kazakh", "kk"),
    declared("Malay", "ms"),
    declared("Swahili", "sw"),
];
