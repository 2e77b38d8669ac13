//! The subjects that pages are about, and the words that give them away.

/// The wanted topic, as plain words to hand to a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name, one of the built-in topics.
    pub name: String,
    /// The words that mark it, most telling first. Pages use more words than
    /// these, so a crawler that learns can find more.
    pub words: Vec<String>,
}

/// A built-in subject with its vocabulary.
pub(crate) struct Theme {
    pub(crate) name: &'static str,
    pub(crate) words: Vec<&'static str>,
}

impl Theme {
    /// The part of the vocabulary that the crawler is told.
    pub(crate) fn topic(&self) -> Topic {
        let told = self.words.len() * 2 / 3;
        Topic {
            name: self.name.into(),
            words: self.words[..told].iter().map(|&word| word.into()).collect(),
        }
    }
}

/// The themes in play: the wanted one first, then `others` more.
///
/// An unknown name means the first built-in topic, so that every spec gives a web.
pub(crate) fn in_play(wanted: &str, others: u32) -> Vec<Theme> {
    let first = THEMES.iter().position(|&(name, _)| name == wanted).unwrap_or(0);
    let rest = (0..THEMES.len()).filter(|&number| number != first);
    let others = (others.max(1) as usize).min(THEMES.len() - 1);
    std::iter::once(first).chain(rest.take(others)).map(theme).collect()
}

fn theme(number: usize) -> Theme {
    let (name, words) = THEMES[number];
    Theme { name, words: words.split(' ').collect() }
}

/// Names and vocabularies, most telling words first. A string each, because a
/// list of hundreds of literals takes a page per theme.
const THEMES: &[(&str, &str)] = &[
    (
        "seabirds",
        "gannet petrel albatross puffin guillemot seabird kittiwake fulmar shearwater \
         cormorant razorbill skua tern gannetry fledgling plumage colony moulting nesting \
         ledge wingspan rookery guano plunge",
    ),
    (
        "falconry",
        "falconry hawk falcon kestrel jesses lure talon perch mews goshawk peregrine \
         harrier quarry bating gauntlet hood creance austringer merlin raptor tiercel \
         bewits",
    ),
    (
        "sailing",
        "sailing mast jib keel rudder halyard spinnaker regatta mooring boom tiller yacht \
         dinghy helm tacking sheet cleat bowsprit rigging windward leeward hull",
    ),
    (
        "baking",
        "sourdough baking flour yeast dough oven crust crumb proofing kneading loaf brioche \
         rye leaven pastry gluten baguette starter butter sifting icing scone",
    ),
    (
        "astronomy",
        "telescope galaxy nebula planet comet orbit eclipse stargazing meteor asteroid \
         supernova aperture eyepiece constellation parallax redshift pulsar lunar solar \
         magnitude observatory zenith",
    ),
    (
        "gardening",
        "compost pruning seedling perennial mulch trellis greenhouse tomato hedge \
         fertiliser bulb weeding orchard trowel dahlia rose lawn sowing cutting pollinator \
         aphid allotment",
    ),
    (
        "cycling",
        "bicycle pedal derailleur saddle crankset peloton sprocket spoke gravel handlebar \
         cadence cassette velodrome puncture chainring cyclist commuting brake tubeless \
         panniers frame helmet",
    ),
    (
        "chess",
        "chess gambit bishop knight rook endgame checkmate castling grandmaster zugzwang \
         pawn opening sicilian blitz stalemate fianchetto blunder queenside kingside \
         tournament sacrifice tempo",
    ),
    (
        "mortgages",
        "mortgage lender refinance equity deposit repayment principal borrower appraisal \
         escrow amortisation foreclosure valuation interest landlord tenant conveyancing \
         arrears freehold leasehold bank loan",
    ),
    (
        "football",
        "football striker midfielder goalkeeper penalty offside derby league transfer \
         kickoff defender referee relegation stadium dribble tackle header fixture \
         equaliser hattrick corner crossbar",
    ),
    (
        "databases",
        "database query index transaction schema replication shard btree postgres latency \
         rollback deadlock snapshot isolation cursor tuple join vacuum checkpoint partition \
         migration throughput",
    ),
    (
        "knitting",
        "knitting yarn purl needle cardigan stitch skein cable gauge ribbing merino alpaca \
         crochet selvedge sleeve lace shawl bobbin sock felting pattern ply",
    ),
    (
        "railways",
        "railway locomotive signal sleeper platform carriage junction tram freight gauge \
         turntable viaduct boiler timetable shunting points wagon tender electrification \
         level-crossing footplate ballast",
    ),
    (
        "cheese",
        "cheese rennet curd whey cheddar rind affinage brie gouda camembert dairy ripening \
         stilton culture milk brine cave feta lactic mould wheel parmesan",
    ),
    (
        "geology",
        "geology basalt granite sediment fault tectonic fossil limestone erosion magma \
         quartz strata schist volcano mineral glacier outcrop shale moraine crystal gneiss \
         seismic",
    ),
    (
        "jazz",
        "jazz saxophone swing bebop improvisation trumpet quartet rhythm chord solo bassist \
         drummer syncopation blues standard ensemble trombone vibraphone riff melody \
         bandleader harmony",
    ),
    (
        "diabetes",
        "diabetes insulin glucose pancreas carbohydrate glycaemic pump retinopathy ketones \
         metformin endocrinologist hypoglycaemia dose clinic neuropathy patient sensor \
         diagnosis injection fasting obesity therapy",
    ),
    (
        "castles",
        "castle moat turret drawbridge keep battlement portcullis siege bailey rampart \
         garrison dungeon trebuchet gatehouse medieval curtain arrowslit chapel fortress \
         baron masonry buttress",
    ),
    (
        "tea",
        "tea oolong teapot steeping matcha leaf darjeeling tannin infusion kettle assam \
         plantation oxidation plucking blend jasmine saucer sencha brewing estate caddy \
         strainer",
    ),
    (
        "robots",
        "robot actuator servo gripper kinematics lidar controller torque firmware gyroscope \
         manipulator navigation autonomy encoder motor drone vision calibration chassis \
         odometry planner battery",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wanted_theme_comes_first_and_only_once() {
        let themes = in_play("chess", 12);
        assert_eq!(themes.len(), 13);
        assert_eq!(themes[0].name, "chess");
        assert_eq!(themes.iter().filter(|theme| theme.name == "chess").count(), 1);
    }

    #[test]
    fn an_unknown_topic_still_gives_a_web() {
        assert_eq!(in_play("no such thing", 3)[0].name, "seabirds");
    }

    #[test]
    fn no_theme_is_told_the_most_telling_word_of_another() {
        let themes = in_play("seabirds", 100);
        assert_eq!(themes.len(), THEMES.len());
        for (index, one) in themes.iter().enumerate() {
            for other in themes[..index].iter().chain(&themes[index + 1..]) {
                assert!(!other.words.contains(&one.words[0]), "{}", one.words[0]);
            }
        }
    }
}
