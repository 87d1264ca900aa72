import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "اسم الملف الذي يُطبع عليه؛ المبدئي: التصميم المدمج",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "لون صفحة فارغة تضع هذه الخيارات كل شيء عليها؛ وبدونه وبدون صفحة خلفية يُطبع التصميم المدمج",
  "Slug of the asset to print on when the context name has several lines":
    "اسم الملف الذي يُطبع عليه إذا كان اسم الدورة في عدة أسطر",
  "Style of all text elements that don't set their own": "نمط كل النصوص التي ليس لها نمطها",
  "Slug of a font asset, or the name of a built-in family": "اسم ملف خط، أو اسم عائلة مدمجة",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "لون النص: ست عشري أو accent أو ink أو paper أو درجة مثل accent/40",
  "Size in points": "الحجم بالنقاط",
  "Space added between letters, in points": "مسافة مضافة بين الحروف بالنقاط",
  "Whether to print in capitals, by the rules of the language": "هل يُطبع بأحرف كبيرة وفق قواعد اللغة",
  "Whether small letters are printed as small capitals, where the font has them":
    "هل تُطبع الأحرف الصغيرة كبيرة مصغّرة إن كانت في الخط",
  "Line spacing, as a multiple of the size": "تباعد الأسطر كمضاعف للحجم",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "النصوص بأسمائها. يمكن تغيير name وcontext وdate أو جعلها false؛ وغيرها يحتاج text وy",
  "Position in points from the left; default: the middle of the page":
    "الموضع بالنقاط من اليسار؛ المبدئي: منتصف الصفحة",
  "Baseline of the first line, in points from the bottom": "خط أساس السطر الأول بالنقاط من الأسفل",
  "Which point of each line is at x": "أي نقطة من كل سطر تقع عند x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "أقصى عرض بالنقاط. النص الأطول يصغر ثم يلتف ثم تنقسم كلماته؛ ويُرفض ما يحتاج أقل من 5 نقاط",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "أكبر عدد من الأسطر؛ المبدئي: 3، أو 1 بدون max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "نسبة الحجم التي يصغر إليها النص قبل أن يلتف؛ المبدئي: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "أصغر حجم بالنقاط: يُرفض نص يلزم أن يكون أصغر؛ المبدئي: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "رمز QR لعنوان التحقق؛ المبدئي: في التصميم المدمج فقط",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "مدة الدورة بالساعات، من أجل {hours} وبيانات التصميم المدمج",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "الساعات المعتمدة مثل 6 ECTS، من أجل {credits} وبيانات التصميم المدمج",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "من يوقّع، من أجل {signatory_name} و{signatory_title} وسطر التوقيع في التصميم المدمج",
  "Name of the person who signs": "اسم من يوقّع",
  "Office of that person, such as Dean of Studies": "منصبه، مثل عميد الدراسات",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "من يوقّعون جنبًا إلى جنب عند places.signatures؛ المبدئي: الخيار signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "عنوان الوثيقة حسب اللغة، من أجل {title} و{second.title}؛ المبدئي: نوع الشهادة",
  "Labels by names of facts; default: those of the language":
    "تسميات البيانات بأسمائها؛ المبدئي: تسميات اللغة",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "اسم ملف PNG أو JPEG أو SVG: شعار، عند places.logo أو أعلى التصميم المدمج",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "أين يقع الشعار والبيانات والتواقيع والختم على الصفحة؛ وما لا مكان له لا يُطبع",
  "Images, above the template and below the texts": "صور فوق الصفحة وتحت النصوص",
  "The page; a PDF template has its own": "الصفحة؛ ولملف PDF صفحته",
  "Paper size": "حجم الورق",
  "Orientation of the page": "اتجاه الصفحة",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "اللون accent؛ في التصميم المدمج لون الإطار والختم والمُصدر",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "يعمّي الوثيقة بـ AES-256: يمكن للجميع فتحها وطباعتها ونسخها، ولا يستطيع أحد تغييرها؛ يستبعد PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "مدة صلاحية الشهادات: مدة من الإصدار مثل P2Y أو P18M أو P30D، أو آخر يوم مثل 2027-08-31؛ المبدئي: دائمًا",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "قبل الانتهاء بكم تُجدَّد الشهادات، مثل P60D؛ P0D: بعد الانتهاء؛ المبدئي: لا تجديد",
  "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them":
    "بيانات المتعلم التي تعرضها صفحة التحقق العامة إذا كانت مطبوعة في المستند: grade وcompletion وlearner_id؛ الافتراضي: لا شيء، وتذكر الصفحة عندئذ أنها لا تؤكدها",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "الأيام قبل الانتهاء التي تُرسل فيها رسالة؛ المبدئي: 60، 14، 1؛ []: أبدًا",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "كلماتكم في رسالة توفر الشهادة: نص لا يزيد على 2000 حرف، كل سطر فقرة",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "ما تقوله Open Badge سوى البيانات؛ false: بلا شارة",
  "What was achieved; default: the names of type and context": "ما أُنجز؛ المبدئي: اسما النوع والدورة",
  "What it takes to earn it; default: the names of type and context":
    "ما يلزم لنيلها؛ المبدئي: اسما النوع والدورة",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "عنوان صورة للإنجاز يمكن للجميع تحميلها: https://…",
  "Fraction 0..1 of the course that must be completed.": "جزء الدورة، من 0 إلى 1، الذي يجب إكماله.",
  "Whether the platform must consider the course as passed, as course_grade records say.":
    "هل يجب أن تعدّ المنصة الدورة مجتازة، وفق سجلات course_grade.",
  'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".':
    "التقدير المطلوب من المنصة: هذا التقدير أو أعلى منه في سلّم الدورة، مثل «B».",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "هل Total مجموع المنصة نفسها بدل المجموع الموزون لأنواع الواجبات.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:':
    'النص؛ اكتب {{ و}} للأقواس المعقوفة و\\n لسطر جديد. يُترك جزء بين فواصل الأسطر أو " · " أو " | " إن لم تكن لأحد متغيراته قيمة: "الدرجة: {grade} · {hours} ساعة". المتغيرات:',
  "{name} the learner's full name": "{name} الاسم الكامل للمتعلّم",
  "{context_name} the name of the course or learning path": "{context_name} اسم الدورة أو المسار",
  "{issue_date} the day of issue": "{issue_date} يوم الإصدار",
  "{award_date} the day on which it was first issued, which a reissue keeps":
    "{award_date} يوم الإصدار الأول، ويبقى عند إعادة الإصدار",
  "{valid_until} the last day of its validity": "{valid_until} آخر يوم من الصلاحية",
  "{verify_uuid} the verification UUID": "{verify_uuid} معرّف UUID للتحقق",
  "{verify_url} the address of its verification page": "{verify_url} عنوان صفحة التحقق",
  "{verify_short_url} the same to be typed, without https://":
    "{verify_short_url} العنوان نفسه لكتابته، بدون https://",
  "{credential_type} the name of the credential type": "{credential_type} اسم نوع الشهادة",
  "{title} the option titles in the document's language, or else the credential type":
    "{title} الخيار titles بلغة الوثيقة، وإلا فنوع الشهادة",
  "{platform_name} the issuer's name": "{platform_name} اسم جهة الإصدار",
  "{grade} the total in the course, such as 92.35%": "{grade} المجموع في الدورة، مثل 92.35%",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}":
    "{grade.<assignment type>} نتيجة نوع من الواجبات، مثل {grade.final}",
  "{completion} how much of the course was completed, such as 95%": "{completion} ما أُكمل من الدورة، مثل 95%",
  "{steps} the number of courses in the learning path": "{steps} عدد دورات المسار",
  "{hours} the option hours": "{hours} الخيار hours",
  "{credits} the option credits": "{credits} الخيار credits",
  "{learner_id} the learner_id of the learner's record": "{learner_id} الحقل learner_id من سجل المتعلّم",
  "{signatory_name} the name of the option signatory": "{signatory_name} الاسم من الخيار signatory",
  "{signatory_title} the title of the option signatory": "{signatory_title} المنصب من الخيار signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}":
    "{learner.<key>} سمة من سجل المتعلّم، مثل {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record": "{enrollment.<key>} سمة من سجل التسجيل",
  "{words.<phrase>} a phrase in the document's language": "{words.<phrase>} عبارة بلغة الوثيقة",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option":
    "{second.<phrase>} الأمر نفسه بلغة الخيار second_language، وكذلك {second.title} و{second.issue_date}؛ ولا شيء دون هذا الخيار",
  "Left edge, in points from the left": "الحافة اليسرى بالنقاط من اليسار",
  "Lower edge, in points from the bottom": "الحافة السفلى بالنقاط من الأسفل",
  "Side in points": "طول الضلع بالنقاط",
  "Colour of the dark modules": "لون المربعات الداكنة",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff":
    "لون خلفية الرمز وهامشه من أربعة مربعات، أو false بلا خلفية؛ المبدئي على صفحة خلفية: #fff",
  "Slug of a PNG, JPEG or SVG asset": "اسم ملف PNG أو JPEG أو SVG",
  "In points; default: as the proportions require": "بالنقاط؛ المبدئي: بحسب التناسب",
  "Text alternative for people who can't see the image; without it, the image counts as decoration":
    "نص لمن لا يرى الصورة؛ وبدونه تُعدّ الصورة زخرفة",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures":
    "اسم ملف PNG أو JPEG أو SVG فيه التوقيع، للتصميم المدمج وplaces.signatures",
  "A second language, for placeholders such as {second.title}": "لغة ثانية، لمتغيرات مثل {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue":
    "بيانات يطبعها التصميم المدمج مع تسمياتها في صف تحت الدورة؛ ويُترك ما لا قيمة له، وaward_date في يوم الإصدار",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there":
    "اسم ملف PNG أو JPEG أو SVG عند places.seal بدل الختم المرسوم هناك",
  "Lines and ornaments, above the page and below everything else, in this order":
    "خطوط وزخارف فوق الصفحة وتحت كل ما سواها، بهذا الترتيب",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left":
    "هل يُبدَّل اليمين واليسار على الورق في لغة تُكتب من اليمين إلى اليسار",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page":
    "الحجم الذي وُضعت له المواضع على الورق: وعلى الآخر تُنقل بالتناسب؛ المبدئي: حجم الصفحة",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of":
    "لغة الوثيقة وتواريخها وحروفها الكبيرة وكلماتها. على صفحة خلفية: أي لغة لها صيغ تواريخ معروفة؛ وإلا فواحدة من",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked":
    "true: الفشل بدل إنشاء ملف ليس PDF/A-3b. وهو في الأصل PDF/A-3b ما لم يكن معمّى أو على صفحة PDF لا تُفحص أجزاؤها",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path":
    "نوع الإنجاز؛ المبدئي: CertificateOfCompletion، أو LearningProgram لمسار",
  "Whether it states the grades and completion that earned the credential; default: false":
    "هل تذكر الدرجات ونسبة الإكمال التي نيلت بها الشهادة؛ المبدئي: false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false":
    "هل تحوي بصمة مملّحة لعنوان المتعلّم تعرف بها حافظات الشارات صاحبها؛ المبدئي: false",
  "Words by which the achievement is found": "كلمات يُعثر بها على الإنجاز",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads":
    "مهارات من أطر مثل ESCO أو CASE أو CTDL يؤدي إليها",
  Name: "الاسم",
  "Address of its site: https://…": "عنوان موقعها: https://…",
  "Who has defined the achievement, if somebody else than the issuer": "من حدّد الإنجاز إن لم تكن جهة الإصدار",
  "Credits that it is worth, as a number: available, and earned with the badge":
    "عدد الساعات المعتمدة، رقمًا: المتاحة والمكتسبة بالشارة",
  "Field of study, such as Astronomy": "مجال الدراسة، مثل الفلك",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.':
    'الجزء المطلوب، من 0 إلى 1، في كل نوع من الواجبات وفي "Total": {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block":
    "الكتلة التي ينتمي إليها: إحدى blocks. وعندئذ يقول y بُعده عن غيره في الكتلة",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side":
    "line: من x وy إلى الزاوية المقابلة؛ rosette: أشكال بيضوية تدور حول الوسط؛ guilloche: ضفيرة أمواج على طول الضلع الأطول",
  "In points; for a line, how far it goes to the right": "بالنقاط؛ وللخط: كم يمتد إلى اليمين",
  "In points; for a line, how far it goes up": "بالنقاط؛ وللخط: كم يمتد إلى الأعلى",
  "Colour of its lines; without it, and without fill, ink": "لون خطوطه؛ وبدونه وبدون fill: ink",
  "Width of its lines, in points": "سُمك خطوطه بالنقاط",
  "Colour of its area": "لون مساحته",
  "Radius of the corners of a rectangle": "نصف قطر زوايا المستطيل",
  "Length of dashes, in points; 0.1 with a round end makes dots":
    "طول الشرطات بالنقاط؛ و0.1 بطرف مستدير يعطي نقاطًا",
  "Degrees by which it is turned about x and y, anticlockwise": "درجات دورانه حول x وy عكس عقارب الساعة",
  "Number of ellipses of a rosette": "عدد الأشكال البيضوية في الوردة",
  "Short axis of the ellipses, as a share of the long one": "المحور القصير للأشكال البيضوية، نسبةً إلى الطويل",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y":
    "للمسار: M وL وC وZ كما في SVG، بالنقاط إلى يمين x وفوق y",
  "Colour of the text": "لون النص",
  "Colour of what stands beside it in smaller letters": "لون ما يجاوره بحروف أصغر",
  "Greatest width, in points": "أقصى عرض بالنقاط",
  "Greatest height, in points": "أقصى ارتفاع بالنقاط",
  "Where in this box a smaller logo stands": "أين يقع في هذا الإطار شعار أصغر منه",
  "Where the row is aligned, in points from the left": "حيث يُحاذى الصف، بالنقاط من اليسار",
  "Baseline of the values in the first row, in points from the bottom":
    "خط أساس القيم في الصف الأول، بالنقاط من الأسفل",
  "Width of a full row, in points": "عرض الصف الكامل بالنقاط",
  "Which point of each row is at x": "أي نقطة من كل صف تقع عند x",
  "Greatest number of facts in a row": "أكبر عدد من البيانات في صف",
  "Where the labels stand": "أين تقع التسميات",
  "Colour of thin lines between the facts; default: none": "لون خطوط رفيعة بين البيانات؛ المبدئي: بلا خطوط",
  "Baseline of the names, in points from the bottom": "خط أساس الأسماء بالنقاط من الأسفل",
  "Width of the row, in points": "عرض الصف بالنقاط",
  "Which point of the row is at x, and where names stand in their columns":
    "أي نقطة من الصف تقع عند x، وأين تقع الأسماء في أعمدتها",
  "Greatest height of the pictures, in points": "أقصى ارتفاع للصور بالنقاط",
  "Greatest width of a column, in points": "أقصى عرض للعمود بالنقاط",
  "Colour of the line between picture and name; someone without a picture has no line":
    "لون الخط بين الصورة والاسم؛ ومن لا صورة له لا خط له",
  "Width and height, in points": "العرض والارتفاع بالنقاط",
  "Colour of the seal that is drawn": "لون الختم المرسوم",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal":
    "كيف يُرسم الختم وعليه اسم جهة الإصدار؛ none: صورة الخيار seal فقط",
  "Upper end of its room, in points from the bottom": "الطرف العلوي لمجاله بالنقاط من الأسفل",
  "Lower end of its room, in points from the bottom": "الطرف السفلي لمجاله بالنقاط من الأسفل",
  "Where in its room the block stands; center is the optical one, a little higher":
    "أين تقع الكتلة في مجالها؛ center هو الوسط البصري، أعلى قليلًا",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink":
    "مجموعات مما يحمل هذا الاسم في block. تتقارب حيث يغيب جزء وتفسح لنصوص أطول؛ وإن ضاق المجال صغرت المسافات ثم النصوص",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible":
    "ما يتطلبه التجديد؛ eligible: استيفاء الشروط اليوم؛ new_record: استيفاؤها بالنتائج المسجلة بعد الإصدار وحدها؛ المبدئي: eligible",
  "Name of the skill": "اسم المهارة",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO":
    "عنوانها في الإطار: https://… أو http://data.europa.eu/… في ESCO",
  "What it is": "ما هي",
  "Name of the framework": "اسم الإطار",
  "Code by which the framework names it": "الرمز الذي يسميها به الإطار",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own":
    "نوع العقدة: ceasn:Competency أو ceterms:Credential أو CFItem أو CFRubric أو CFRubricCriterion أو CFRubricCriterionLevel أو CTDL أو ext: وكلمة من عندك",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "ما تطبعه {issuer_name} و{issuer_contact} و{issuer_imprint}؛ وإن لم يُحدَّد: ما يحدده مظهر صفحات الجهة المُصدِرة ورسائلها",
  "Name of the issuer, as it is printed": "اسم الجهة المُصدِرة كما يُطبع",
  "Where questions are answered: a mail address, or an address with https":
    "حيث يُجاب عن الأسئلة: عنوان بريد، أو عنوان يبدأ بـ https",
  "The page that says who is responsible by law: an address with https":
    "الصفحة التي تبيّن المسؤول قانونًا: عنوان يبدأ بـ https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} الاسم أعلى صفحات الجهة المُصدِرة ورسائلها، وإلا فكما في {platform_name}",
  "{issuer_contact} where the issuer answers questions": "{issuer_contact} حيث تجيب الجهة المُصدِرة عن الأسئلة",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} عنوان البيانات القانونية للجهة المُصدِرة، دون https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "العرض الذي يبقى فارغًا في وسط صف موسَّط، بالنقاط، لختم مثلًا",
};
