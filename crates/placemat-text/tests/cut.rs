//! Texts in UTF-8 that a tool folded or cut at a number of bytes, within characters. What is left of a character is damage of UTF-8, not
//! letters of another encoding.
#![forbid(unsafe_code)]

use placemat_text::repair::blocks::Blocks;
use placemat_text::repair::choice::Choice;
use placemat_text::repair::mend::{Mender, Mending, Rule};
use placemat_text::repair::whole::whole;
use placemat_text::structure::{self, Structure};

/// Sentences in many languages.
const TEXTS: [&str; 16] = [
    "Der Zug fährt früh um fünf über die Brücke. Später hört man Vögel in den Bäumen, und die Mädchen pflücken Äpfel. Große Wäsche trocknet \
     draußen, während der Bäcker schöne süße Brötchen für das Frühstück macht. Übermorgen müssen wir zurück nach München fahren.",
    "L’été dernier, nous étions à la mer près d’une forêt. Où êtes-vous allés après Noël ? Ça dépend des congés, répondit-elle : « peut-être à \
     Orléans, chez mon frère aîné ». Le garçon mangeait une crème brûlée, là-bas, à côté du théâtre fermé.",
    "El niño pequeño compró piñas y plátanos en el almacén. ¿Cuándo volverá mañana? ¡Qué alegría! La lección será más fácil después del café, \
     según contó la señora Núñez. También habrá música en el jardín y un avión pasará volando.",
    "A manhã começou fria na região de São João. Não há pães à venda, só maçãs e limões. As crianças estão no avião com a avó, e o irmão já \
     dormiu. É difícil ficar sem o almoço até às três, mas amanhã será melhor.",
    "Zażółć gęślą jaźń, pomyślał żółw. Dziś świeży chleb leży na półce, a łąka pachnie miętą. Sąsiad kupił też śledzie, gruszki i ćwikłę. \
     Później wróciła córka, która mieszkała w Łodzi, i zjadła zupę ogórkową.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Večer šel děda do lesa, kde rostou hříbky, a našel tři. Sestřička měla radost, že přišel brzy, \
     a uvařila čaj s medem. Zítra bude svítit slunce, říká předpověď počasí.",
    "Az őszi erdőben hűvös szél fújt. Öt szép kislány ült a fűben, és körtét ettek. A nagymama később süteményt sütött, mert vendégek jöttek \
     Győrből. Útközben láttak egy őzet és két rókát is a tó mögött.",
    "Küçük çocuk bahçede ağaçların altında oyun oynuyordu. Annesi içeride taze ekmek pişiriyor, babası şarkı söylüyordu. Öğleden sonra yağmur \
     yağdı, dağın üstü sisle örtüldü. Güneş çıkınca İstanbul’a doğru yola çıktılar.",
    "Buổi sáng ở làng rất yên tĩnh. Người mẹ nấu cơm, còn đứa trẻ chạy ra vườn hái những quả ổi chín. Chiều đến, trời đổ mưa to, nước sông dâng \
     cao. Mọi người cùng nhau kể chuyện cũ bên bếp lửa ấm áp và uống trà.",
    "Съешь же ещё этих мягких булок, да выпей чаю. Утром поезд пришёл на станцию, и мы вышли на площадь. Вечером было тепло, дети играли во \
     дворе, а бабушка читала книгу у окна. Завтра поедем к морю.",
    "Зранку в селі тихо. Їжак біжить через дорогу, а ґава сидить на плоті. Мій дідусь учора привіз яблука й груші, щоб спекти пиріг. Увечері \
     ми слухали пісні та пили гарячий чай із м’ятою.",
    "Το πρωί ο ψαράς βγήκε στη θάλασσα με τη βάρκα του. Η γιαγιά έψησε ψωμί και τα παιδιά έτρεχαν στην αυλή. Το βράδυ καθίσαμε όλοι μαζί \
     κάτω από το δέντρο και είπαμε ιστορίες για τα παλιά χρόνια.",
    "בבוקר יצא הדייג אל הים בסירה הקטנה שלו. הסבתא אפתה לחם והילדים רצו בחצר. בערב ישבנו כולנו יחד מתחת לעץ וסיפרנו סיפורים על הימים שעברו.",
    "朝早く、漁師は小さな船で海へ出ました。おばあさんはパンを焼き、子供たちは庭を走り回っています。夕方になると、みんなで木の下に座り、\
     昔の話をしました。「明日も晴れるといいね」と妹が言いました。",
    "아침 일찍 어부는 작은 배를 타고 바다로 나갔습니다. 할머니는 빵을 굽고 아이들은 마당에서 뛰어놀았습니다. 저녁이 되자 모두 나무 아래에 \
     모여 앉아 옛날 이야기를 나누었습니다.",
    "清晨，渔夫划着小船出海了。奶奶在家里烤面包，孩子们在院子里跑来跑去。到了傍晚，大家一起坐在大树下，讲着过去的故事。“明天会是个好天气。”妹妹说。",
];

/// What a repair reads as another encoding, as a text to show; nothing if it is refused.
fn read(text: &[u8], structure: Option<Structure>) -> String {
    let choice = Choice::default();
    let repaired = match structure {
        None => whole(text, &choice),
        Some(structure) => structure::whole(text, structure, &choice),
    };
    let changes = repaired.map_or(Vec::new(), |repaired| repaired.changes);
    let read = changes.iter().filter(|change| !matches!(change.rule, Rule::Policy(..)));
    read.map(|change| format!("{}: {}\n", change.rule.name(), change.text)).collect()
}

/// Pieces of so many bytes.
fn pieces(text: &str, width: usize) -> Vec<&[u8]> {
    text.as_bytes().chunks(width).collect()
}

/// Fails if letters of another encoding were read in a text.
fn expect(wrong: &[String], all: usize) {
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_character_that_is_parted_between_two_lines_is_utf8() {
    let (mut wrong, mut all) = (Vec::new(), 0);
    for width in 20..81 {
        for (line_break, text) in
            [&b"\n"[..], b"\r\n", b"\r\n ", b"\n\t"].iter().zip(TEXTS.iter().cycle().skip(width))
        {
            let folded = pieces(text, width).join(*line_break);
            if placemat::is_valid(&folded) {
                continue;
            }
            all += 1;
            let read = read(&folded, None);
            if !read.is_empty() {
                wrong.push(format!("{width} {}: {read}", text.chars().take(9).collect::<String>()));
            }
        }
    }
    assert!(all > 150);
    expect(&wrong, all);
}

/// The words of a text, each with those after it, as messages of different length that a tool cuts.
fn messages(text: &str, limit: usize) -> Vec<&[u8]> {
    let starts = text.match_indices(' ').map(|(at, _)| at + 1).step_by(3);
    let all = [0].into_iter().chain(starts).map(|at| &text[at..]);
    all.map(|rest| &rest.as_bytes()[..rest.len().min(limit)]).collect()
}

#[test]
fn a_character_that_a_limit_on_bytes_cuts_is_utf8() {
    let (mut wrong, mut all) = (Vec::new(), 0);
    for limit in 8..64 {
        for text in TEXTS.iter().filter(|text| text.contains(' ')) {
            let cut = messages(text, limit).join(&b'\n');
            if placemat::is_valid(&cut) {
                continue;
            }
            all += 1;
            for structure in [None, Some(Structure::Csv(b'\t'))] {
                let read = read(&cut, structure);
                if !read.is_empty() {
                    wrong.push(format!("{limit} {}: {read}", text.chars().take(9).collect::<String>()));
                }
            }
        }
    }
    assert!(all > 300);
    expect(&wrong, all);
}

#[test]
fn letters_of_another_encoding_at_the_ends_of_lines_are_read() {
    let lines = "Le café était fermé.\nL’été à la forêt, une crème brûlée.\n";
    for (bad, good) in [
        (
            &b"Il revient de Paris, fatigu\xE9\nEt puis il dort.\n"[..],
            "Il revient de Paris, fatigué\nEt puis il dort.\n",
        ),
        // Together these bytes are a character, but an ideograph.
        (
            b"Il revient de Paris, fatigu\xE9\n\xAB\xA0Bonjour\n",
            "Il revient de Paris, fatigué\n«\u{A0}Bonjour\n",
        ),
    ] {
        let repaired = whole(&[lines.as_bytes(), bad].concat(), &Choice::default()).unwrap();
        assert_eq!(String::from_utf8(repaired.text).unwrap(), [lines, good].concat());
    }
}

#[test]
fn what_is_left_of_a_character_is_seen_where_blocks_meet() {
    for shift in 0..8 {
        let text = ["x".repeat(shift), TEXTS[8].repeat(600)].concat();
        let folded = pieces(&text, 74).join(&b"\r\n "[..]);
        let (_, expected) = Mender::new(Mending::default()).block(&folded, true);
        assert!(
            expected.len() > 900 && expected.iter().all(|change| matches!(change.rule, Rule::Policy(..)))
        );
        let (mut mender, mut blocks) = (Mender::new(Mending::default()), Blocks::new(&folded[..]));
        let (mut changes, mut count, mut is_last) = (Vec::new(), 0, false);
        while !is_last {
            let block = blocks.block().unwrap();
            is_last = block.is_last;
            let (settled, more) = mender.next(block);
            blocks.settle(settled);
            changes.extend(more);
            count += 1;
        }
        assert!(count > 1 && changes == expected);
    }
}
