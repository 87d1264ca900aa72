import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "اسم الملف الذي يُطبع عليه؛ المبدئي: التصميم المدمج",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "لون صفحة فارغة تضع هذه الخيارات كل شيء عليها؛ وبدونه وبدون قالب يُطبع التصميم المدمج",
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
    "مدة الدورة بالساعات، من أجل {hours} وحقائق التصميم المدمج",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "الساعات المعتمدة مثل 6 ECTS، من أجل {credits} وحقائق التصميم المدمج",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "من يوقّع، من أجل {signatory_name} و{signatory_title} وسطر التوقيع في التصميم المدمج",
  "Name of the person who signs": "اسم من يوقّع",
  "Office of that person, such as Dean of Studies": "منصبه، مثل عميد الدراسات",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "من يوقّعون جنبًا إلى جنب عند places.signatures؛ المبدئي: الخيار signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "عنوان الوثيقة حسب اللغة، من أجل {title} و{second.title}؛ المبدئي: نوع الشهادة",
  "Labels by names of facts; default: those of the language":
    "تسميات الحقائق بأسمائها؛ المبدئي: تسميات اللغة",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "اسم ملف PNG أو JPEG أو SVG: شعار، عند places.logo أو أعلى التصميم المدمج",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "أين يقع الشعار والحقائق والتواقيع والختم على الصفحة؛ وما لا مكان له لا يُطبع",
  "Images, above the template and below the texts": "صور فوق الصفحة وتحت النصوص",
  "The page; a PDF template has its own": "الصفحة؛ ولملف PDF صفحته",
  "Paper size": "حجم الورق",
  "Orientation of the page": "اتجاه الصفحة",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "اللون accent؛ في التصميم المدمج لون الإطار والختم والمُصدر",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "يعمّي بـ AES-256: يمكن للجميع فتح الوثيقة وطباعتها ونسخها ولا يغيرها أحد؛ يستبعد PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "مدة صلاحية الشهادات: مدة من الإصدار مثل P2Y أو P18M أو P30D، أو آخر يوم مثل 2027-08-31؛ المبدئي: دائمًا",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "كم قبل الانتهاء تُجدَّد الشهادات، مثل P60D؛ P0D: بعد الانتهاء؛ المبدئي: لا تجديد",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "الأيام قبل الانتهاء التي تُرسل فيها رسالة؛ المبدئي: 60، 14، 1؛ []: أبدًا",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "كلماتكم في رسالة توفر الشهادة: نص لا يزيد على 2000 حرف، كل سطر فقرة",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "ما تقوله Open Badge سوى الحقائق؛ false: بلا شارة",
  "What was achieved; default: the names of type and context": "ما أُنجز؛ المبدئي: اسما النوع والدورة",
  "What it takes to earn it; default: the names of type and context":
    "ما يلزم لنيلها؛ المبدئي: اسما النوع والدورة",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "عنوان صورة للإنجاز يمكن للجميع تحميلها: https://…",
  "Fraction 0..1 of the course that must be completed.": "جزء الدورة، من 0 إلى 1، الذي يجب إكماله.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "هل Total مجموع المنصة نفسها بدل المجموع الموزون لأنواع الواجبات.",
};
