"""Text columns that are not UTF-8: the report names their encoding, and a conversion from it restores the text."""

import placemat
import placemat.arrow
import pyarrow as pa
import pytest

TEXTS = {
    "windows-1252": ["Die Straße führt über die Brücke nach Köln", "Größe, Länge und Gewicht prüfen", "Schöne Grüße aus München", "Bitte geben Sie Ihr Paßwort ein", "Übung macht den Meister"],
    "iso-8859-15": ["Le café était fermé à cause de la grève", "Où sont passées les clés de la voiture ?", "Le garçon a mangé des œufs, 3 €", "Ça coûte 5 € la pièce", "Élève, leçon, forêt"],
    "windows-1250": ["Zażółć gęślą jaźń", "Proszę przesłać zamówienie do końca tygodnia", "Łódź, Kraków, Gdańsk i Wrocław", "Dziękuję bardzo za pomoc", "Książka leży na półce"],
    "windows-1251": ["Привет, мир! Как дела?", "Сегодня хорошая погода в Москве", "Пожалуйста, укажите ваш адрес", "Спасибо за покупку", "Заказ отправлен вчера"],
    "koi8-r": ["Добро пожаловать на наш сайт", "Новости науки и техники", "Расписание поездов на завтра", "Это очень интересная книга", "Мы живём в большом городе"],
    "windows-1253": ["Καλημέρα, τι κάνετε σήμερα;", "Η παραγγελία σας έχει αποσταλεί", "Ευχαριστούμε πολύ για την αγορά", "Το βιβλίο είναι πάνω στο τραπέζι", "Αθήνα και Θεσσαλονίκη"],
    "windows-1255": ["שלום עולם, מה שלומך היום", "תודה רבה על ההזמנה שלך", "הספר נמצא על השולחן", "ירושלים ותל אביב", "בוקר טוב לכולם"],
    "windows-1256": ["مرحبا بالعالم، كيف حالك اليوم", "شكرا جزيلا على طلبك", "الكتاب على الطاولة", "القاهرة مدينة كبيرة", "صباح الخير"],
    "shift_jis": ["こんにちは、お元気ですか", "ご注文ありがとうございます", "本は机の上にあります", "東京と大阪の天気予報", "今日はとても暑いです"],
    "euc-kr": ["안녕하세요, 오늘 날씨가 좋네요", "주문해 주셔서 감사합니다", "책이 책상 위에 있습니다", "서울과 부산", "내일 다시 만나요"],
    "gb18030": ["你好，今天天气很好", "感谢您的订购", "书在桌子上", "北京和上海的天气预报", "我们明天再见"],
    "windows-1254": ["Günaydın, bugün hava çok güzel", "Siparişiniz için teşekkür ederiz", "Kitap masanın üstünde", "İstanbul ve İzmir'de yağış bekleniyor", "Şimdi ne yapıyorsun?"],
    "windows-1257": ["Ačiū už jūsų užsakymą", "Žalgirio gatvė, Šiauliai", "Kur mano užsakymas, prašau?", "Šaldytuvas su šaldikliu", "Lietuvių kalba yra graži"],
    "windows-874": ["สวัสดีครับ ยินดีต้อนรับ", "ขอบคุณสำหรับการสั่งซื้อ", "ถนนสุขุมวิท กรุงเทพมหานคร", "เสื้อเชิ้ตผู้ชาย สีขาว", "คำสั่งซื้อของฉันอยู่ที่ไหน"],
    "koi8-u": ["Дякуємо за замовлення", "Київ, вул. Хрещатик, 5", "Її ім'я Олена", "Доброго ранку, як справи?", "Чоловіча сорочка, біла"],
    "euc-jp": ["こんにちは、お元気ですか", "ご注文ありがとうございます", "本は机の上にあります", "東京と大阪の天気予報", "今日はとても暑いです"],
    "big5": ["感謝您的訂購", "臺北市信義區市府路", "我的訂單在哪裡", "今天天氣很好", "男士襯衫 白色"],
}  # fmt: skip
# Similar encodings that the report may name instead.
ALSO = {"iso-8859-15": {"windows-1252"}, "windows-1252": {"iso-8859-15"}, "gb18030": {"gbk"}}


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_column_is_named_and_comes_back(encoding):
    texts = TEXTS[encoding] * 20
    rows = [text.encode(encoding) for text in texts]
    lying = pa.array(rows, pa.binary()).view(pa.string())
    found = placemat.report(pa.table({"text": lying})).to_pylist()[0]
    assert found["bad_rows"] > 0.9 * len(rows) or encoding == "gb18030"
    assert found["seems"] in {encoding, *ALSO.get(encoding, ())}
    assert placemat.arrow.convert(lying, encoding).to_pylist() == texts
