import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Назва файлу, на якому друкувати; типово: вбудоване оформлення",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Колір порожньої сторінки, на якій ці параметри все розміщують; без нього й без шаблону друкується вбудоване оформлення",
  "Slug of the asset to print on when the context name has several lines":
    "Назва файлу, на якому друкувати, якщо назва курсу має кілька рядків",
  "Style of all text elements that don't set their own": "Стиль текстів, що не мають власного",
  "Slug of a font asset, or the name of a built-in family": "Назва файлу шрифту або вбудованої гарнітури",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Колір тексту: шістнадцятковий, accent, ink чи paper, або відтінок, як-от accent/40",
  "Size in points": "Розмір у пунктах",
  "Space added between letters, in points": "Додатковий проміжок між літерами, у пунктах",
  "Whether to print in capitals, by the rules of the language":
    "Чи друкувати великими літерами за правилами мови",
  "Whether small letters are printed as small capitals, where the font has them":
    "Чи друкувати малі літери капітеллю, якщо шрифт її має",
  "Line spacing, as a multiple of the size": "Міжрядковий інтервал, кратний розміру",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Тексти за назвами. name, context і date можна змінити або вимкнути (false); інші потребують text і y",
  "Position in points from the left; default: the middle of the page":
    "Положення в пунктах від лівого краю; типово: середина сторінки",
  "Baseline of the first line, in points from the bottom": "Базова лінія першого рядка, у пунктах від низу",
  "Which point of each line is at x": "Яка точка кожного рядка лежить на x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Найбільша ширина в пунктах. Довший текст зменшується, потім переноситься, потім ділить слова; якщо треба менше 5 пунктів, його відхилено",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Найбільша кількість рядків; типово: 3, без max_width 1",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Частка розміру, до якої текст зменшується перед перенесенням; типово: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Найменший розмір у пунктах: текст, що мав би бути меншим, відхилено; типово: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "QR-код адреси перевірки; типово: лише у вбудованому оформленні",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Тривалість курсу в годинах, для {hours} і даних вбудованого оформлення",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Кредити, як-от 6 ECTS, для {credits} і даних вбудованого оформлення",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "Хто підписує, для {signatory_name}, {signatory_title} і рядка підпису вбудованого оформлення",
  "Name of the person who signs": "Ім’я того, хто підписує",
  "Office of that person, such as Dean of Studies": "Посада цієї особи, як-от декан",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Хто підписує, поруч у places.signatures; типово: параметр signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "Заголовок документа за мовами, для {title} і {second.title}; типово: тип посвідчення",
  "Labels by names of facts; default: those of the language": "Підписи за назвами даних; типово: мовні",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Назва файлу PNG, JPEG чи SVG: логотип або герб, у places.logo чи вгорі вбудованого оформлення",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Де на сторінці логотип, дані, підписи й печатка; що не має місця, не друкується",
  "Images, above the template and below the texts": "Зображення над сторінкою й під текстами",
  "The page; a PDF template has its own": "Сторінка; PDF має власну",
  "Paper size": "Формат паперу",
  "Orientation of the page": "Орієнтація сторінки",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "Колір accent; у вбудованому оформленні колір рамки, печатки й видавця",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Шифрує AES-256: документ може відкрити, надрукувати й скопіювати кожен, але ніхто не змінить; виключає PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Скільки діють посвідчення: строк від видачі, як-от P2Y, P18M чи P30D, або останній день, як-от 2027-08-31; типово: безстроково",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "За скільки до кінця строку поновлювати, як-от P60D; P0D: після кінця; типово: не поновлюється",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "За скільки днів до кінця строку надсилати лист; типово: 60, 14, 1; []: ніколи",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Ваші слова в листі про доступне посвідчення: текст до 2000 знаків, кожен рядок — абзац",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Що каже Open Badge крім даних; false: без значка",
  "What was achieved; default: the names of type and context": "Що досягнуто; типово: назви типу й курсу",
  "What it takes to earn it; default: the names of type and context":
    "Що потрібно, щоб отримати; типово: назви типу й курсу",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Адреса зображення досягнення, доступного всім: https://…",
  "Fraction 0..1 of the course that must be completed.": "Частка курсу, від 0 до 1, яку треба завершити.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Чи Total — підсумок самої платформи замість зваженої суми типів завдань.",
};
