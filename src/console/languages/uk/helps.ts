import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Назва файлу, на якому друкувати; типово: вбудоване оформлення",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Колір порожньої сторінки, на якій ці параметри все розміщують; без нього й без сторінки-основи друкується вбудоване оформлення",
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
    "Тривалість курсу в годинах, для {hours} і відомостей вбудованого оформлення",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Кредити, як-от 6 ECTS, для {credits} і відомостей вбудованого оформлення",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "Хто підписує, для {signatory_name}, {signatory_title} і рядка підпису вбудованого оформлення",
  "Name of the person who signs": "Ім’я того, хто підписує",
  "Office of that person, such as Dean of Studies": "Посада цієї особи, як-от декан",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Хто підписує, поруч у places.signatures; типово: параметр signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "Заголовок документа за мовами, для {title} і {second.title}; типово: тип сертифіката",
  "Labels by names of facts; default: those of the language":
    "Підписи за назвами відомостей; типово: слова мови документа",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Назва файлу PNG, JPEG чи SVG: логотип або герб, у places.logo чи вгорі вбудованого оформлення",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Де на сторінці логотип, відомості, підписи й печатка; що не має місця, не друкується",
  "Images, above the template and below the texts": "Зображення над сторінкою й під текстами",
  "The page; a PDF template has its own": "Сторінка; PDF має власну",
  "Paper size": "Формат паперу",
  "Orientation of the page": "Орієнтація сторінки",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "Колір accent; у вбудованому оформленні колір рамки, печатки й видавця",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Шифрує AES-256: документ може відкрити, надрукувати й скопіювати кожен, але ніхто не змінить; виключає PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Скільки діють сертифікати: строк від видачі, як-от P2Y, P18M чи P30D, або останній день, як-от 2027-08-31; типово: безстроково",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "За скільки до кінця строку поновлювати, як-от P60D; P0D: після кінця; типово: не поновлюється",
  "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them":
    "Відомості про особу, які показує публічна сторінка перевірки, якщо їх надруковано в документі: grade, completion, learner_id; типово: жодних; тоді сторінка зазначає, що не підтверджує їх",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "За скільки днів до кінця строку надсилати лист; типово: 60, 14, 1; []: ніколи",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Ваші слова в листі про доступний сертифікат: текст до 2000 знаків, кожен рядок — абзац",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Що каже Open Badge, крім відомостей; false: без значка",
  "What was achieved; default: the names of type and context": "Що досягнуто; типово: назви типу й курсу",
  "What it takes to earn it; default: the names of type and context":
    "Що потрібно, щоб отримати; типово: назви типу й курсу",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Адреса зображення досягнення, доступного всім: https://…",
  "Fraction 0..1 of the course that must be completed.": "Частка курсу, від 0 до 1, яку треба завершити.",
  "Whether the platform must consider the course as passed, as course_grade records say.":
    "Чи має платформа вважати курс складеним, за записами course_grade.",
  'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".':
    "Літерна оцінка платформи, яка вимагається: ця або вища за шкалою курсу, наприклад «B».",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Чи Total — підсумок самої платформи замість зваженої суми типів завдань.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:':
    'Текст; {{ і }} означають фігурні дужки, \\n — новий рядок. Частина між розривами рядка, " · " чи " | " пропускається, якщо котрась із її змінних не має значення: "Оцінка: {grade} · {hours} годин". Змінні:',
  "{name} the learner's full name": "{name} повне ім’я здобувача",
  "{context_name} the name of the course or learning path": "{context_name} назва курсу чи шляху",
  "{issue_date} the day of issue": "{issue_date} день видачі",
  "{award_date} the day on which it was first issued, which a reissue keeps":
    "{award_date} день першої видачі, який лишається і в разі нової видачі",
  "{valid_until} the last day of its validity": "{valid_until} останній день чинності",
  "{verify_uuid} the verification UUID": "{verify_uuid} UUID перевірки",
  "{verify_url} the address of its verification page": "{verify_url} адреса сторінки перевірки",
  "{verify_short_url} the same to be typed, without https://":
    "{verify_short_url} та сама адреса, щоб набрати її, без https://",
  "{credential_type} the name of the credential type": "{credential_type} назва типу сертифіката",
  "{title} the option titles in the document's language, or else the credential type":
    "{title} параметр titles мовою документа, інакше тип сертифіката",
  "{platform_name} the issuer's name": "{platform_name} назва видавця",
  "{grade} the total in the course, such as 92.35%": "{grade} підсумок курсу, як-от 92,35 %",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}":
    "{grade.<assignment type>} результат типу завдань, як-от {grade.final}",
  "{completion} how much of the course was completed, such as 95%":
    "{completion} скільки курсу пройдено, як-от 95 %",
  "{steps} the number of courses in the learning path": "{steps} кількість курсів шляху",
  "{hours} the option hours": "{hours} параметр hours",
  "{credits} the option credits": "{credits} параметр credits",
  "{learner_id} the learner_id of the learner's record": "{learner_id} learner_id із запису здобувача",
  "{signatory_name} the name of the option signatory": "{signatory_name} ім’я з параметра signatory",
  "{signatory_title} the title of the option signatory": "{signatory_title} посада з параметра signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}":
    "{learner.<key>} ознака із запису здобувача, як-от {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record":
    "{enrollment.<key>} ознака із запису про зарахування",
  "{words.<phrase>} a phrase in the document's language": "{words.<phrase>} вираз мовою документа",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option":
    "{second.<phrase>} те саме мовою з параметра second_language, а також {second.title} і {second.issue_date}; без нього — нічого",
  "Left edge, in points from the left": "Лівий край, у пунктах від лівого краю сторінки",
  "Lower edge, in points from the bottom": "Нижній край, у пунктах від низу сторінки",
  "Side in points": "Сторона, у пунктах",
  "Colour of the dark modules": "Колір темних клітинок",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff":
    "Колір тла коду та його поля в чотири клітинки, або false, якщо його немає; типово на сторінці-основі: #fff",
  "Slug of a PNG, JPEG or SVG asset": "Назва файлу PNG, JPEG чи SVG",
  "In points; default: as the proportions require": "У пунктах; типово: за пропорціями",
  "Text alternative for people who can't see the image; without it, the image counts as decoration":
    "Текст для тих, хто не бачить зображення; без нього воно вважається прикрасою",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures":
    "Назва файлу PNG, JPEG чи SVG з підписом, для вбудованого оформлення й places.signatures",
  "A second language, for placeholders such as {second.title}":
    "Друга мова, для змінних на зразок {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue":
    "Відомості, які вбудоване оформлення друкує з підписами в ряд під курсом; пропускаються ті, що не мають значення, і award_date у день видачі",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there":
    "Назва файлу PNG, JPEG чи SVG у places.seal замість печатки, яку там намальовано",
  "Lines and ornaments, above the page and below everything else, in this order":
    "Лінії та прикраси, над сторінкою й під усім іншим, у цьому порядку",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left":
    "Чи міняти місцями ліве й праве на папері мовою, якою пишуть справа наліво",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page":
    "Формат, для якого призначені положення на папері: на іншому вони зсуваються пропорційно; типово: формат сторінки",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of":
    "Мова документа, його дат, великих літер і слів. На сторінці-основі — будь-яка мова з відомими форматами дат; інакше одна з",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked":
    "true: краще помилка, ніж файл, що не є PDF/A-3b. Типово він є PDF/A-3b, якщо не зашифрований і не надрукований на сторінці PDF, частини якої не перевіряються",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path":
    "Вид досягнення; типово: CertificateOfCompletion, для шляху LearningProgram",
  "Whether it states the grades and completion that earned the credential; default: false":
    "Чи зазначати оцінки й поступ, за які видано сертифікат; типово: false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false":
    "Чи містить він хеш адреси здобувача із сіллю, за яким колекції значків упізнають власника; типово: false",
  "Words by which the achievement is found": "Слова, за якими знаходять досягнення",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads":
    "Навички з класифікаторів, як-от ESCO, CASE чи CTDL, до яких він веде",
  Name: "Назва",
  "Address of its site: https://…": "Адреса сайту: https://…",
  "Who has defined the achievement, if somebody else than the issuer":
    "Хто визначив досягнення, якщо не видавець",
  "Credits that it is worth, as a number: available, and earned with the badge":
    "Скільки кредитів він вартий, числом: їх передбачено й здобуто зі значком",
  "Field of study, such as Astronomy": "Галузь знань, як-от Астрономія",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.':
    'Потрібна частка, від 0 до 1, у кожному типі завдань і в "Total": {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block":
    "Блок, до якого належить: один із blocks. Тоді y каже, наскільки він віддалений від інших у блоці",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side":
    "line: від x та y до протилежного кута; rosette: еліпси, що обертаються навколо центра; guilloche: плетиво хвиль уздовж довшої сторони",
  "In points; for a line, how far it goes to the right": "У пунктах; для лінії — наскільки вона йде праворуч",
  "In points; for a line, how far it goes up": "У пунктах; для лінії — наскільки вона йде вгору",
  "Colour of its lines; without it, and without fill, ink": "Колір ліній; без нього і без fill — ink",
  "Width of its lines, in points": "Товщина ліній, у пунктах",
  "Colour of its area": "Колір площі",
  "Radius of the corners of a rectangle": "Радіус кутів прямокутника",
  "Length of dashes, in points; 0.1 with a round end makes dots":
    "Довжина штрихів, у пунктах; 0.1 із круглим кінцем дає крапки",
  "Degrees by which it is turned about x and y, anticlockwise":
    "Градуси, на які його повернуто навколо x та y проти годинникової стрілки",
  "Number of ellipses of a rosette": "Кількість еліпсів розетки",
  "Short axis of the ellipses, as a share of the long one": "Коротка вісь еліпсів, як частка довгої",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y":
    "Для контуру: M, L, C і Z, як у SVG, у пунктах праворуч від x і вгору від y",
  "Colour of the text": "Колір тексту",
  "Colour of what stands beside it in smaller letters": "Колір того, що стоїть поруч дрібніше",
  "Greatest width, in points": "Найбільша ширина, у пунктах",
  "Greatest height, in points": "Найбільша висота, у пунктах",
  "Where in this box a smaller logo stands": "Де в цій рамці стоїть менший логотип",
  "Where the row is aligned, in points from the left": "За чим вирівняно ряд, у пунктах від лівого краю",
  "Baseline of the values in the first row, in points from the bottom":
    "Базова лінія значень першого ряду, у пунктах від низу",
  "Width of a full row, in points": "Ширина повного ряду, у пунктах",
  "Which point of each row is at x": "Яка точка кожного ряду лежить на x",
  "Greatest number of facts in a row": "Найбільша кількість відомостей у ряду",
  "Where the labels stand": "Де стоять підписи",
  "Colour of thin lines between the facts; default: none":
    "Колір тонких ліній між відомостями; типово: немає",
  "Baseline of the names, in points from the bottom": "Базова лінія імен, у пунктах від низу",
  "Width of the row, in points": "Ширина ряду, у пунктах",
  "Which point of the row is at x, and where names stand in their columns":
    "Яка точка ряду лежить на x і де в стовпцях стоять імена",
  "Greatest height of the pictures, in points": "Найбільша висота зображень, у пунктах",
  "Greatest width of a column, in points": "Найбільша ширина стовпця, у пунктах",
  "Colour of the line between picture and name; someone without a picture has no line":
    "Колір лінії між зображенням та іменем; без зображення лінії немає",
  "Width and height, in points": "Ширина й висота, у пунктах",
  "Colour of the seal that is drawn": "Колір намальованої печатки",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal":
    "Як намальовано печатку з назвою видавця; none: лише зображення з параметра seal",
  "Upper end of its room, in points from the bottom": "Верхній край його місця, у пунктах від низу",
  "Lower end of its room, in points from the bottom": "Нижній край його місця, у пунктах від низу",
  "Where in its room the block stands; center is the optical one, a little higher":
    "Де у своєму місці стоїть блок; center — оптична середина, трохи вище",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink":
    "Групи з усього, що має цю назву як block. Вони змикаються, де бракує частини, і дають місце довшим текстам; якщо місця замало, зменшуються відстані, а тоді тексти",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible":
    "Що потрібно для поновлення; eligible: виконувати вимоги сьогодні; new_record: виконувати їх лише результатами, отриманими після видачі; типово: eligible",
  "Name of the skill": "Назва навички",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO":
    "Її адреса в класифікаторі: https://…, або http://data.europa.eu/… з ESCO",
  "What it is": "Що це",
  "Name of the framework": "Назва класифікатора",
  "Code by which the framework names it": "Код, під яким її має класифікатор",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own":
    "Вид вузла: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, або ext: і власне слово",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "Що друкують {issuer_name}, {issuer_contact} і {issuer_imprint}; якщо не задано: те, що вказує вигляд сторінок і листів видавця",
  "Name of the issuer, as it is printed": "Назва видавця, як вона друкується",
  "Where questions are answered: a mail address, or an address with https":
    "Де відповідають на запитання: адреса пошти або адреса з https",
  "The page that says who is responsible by law: an address with https":
    "Сторінка, що вказує відповідального за законом: адреса з https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} назва над сторінками й листами видавця, інакше як {platform_name}",
  "{issuer_contact} where the issuer answers questions":
    "{issuer_contact} де видавець відповідає на запитання",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} адреса правової інформації видавця, без https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "Ширина, яка лишається вільною посередині центрованого ряду, у пунктах, наприклад для печатки",
};
