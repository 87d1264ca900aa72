import type { SetupWording } from "../en/setup.js";

export const words: SetupWording = {
  title: "الخطوات الأولى",
  done: "(تم)",
  stepCourse: "لتكن لديك دورة: صِل المنصة التي تقدمها، أو أنشئ واحدة هنا.",
  stepDesign: "صمّم شهادة: ابدأ بأحد التصاميم.",
  stepOffer: "اعرض الشهادة في الدورة.",
  stepIssue: "أصدر لأول متعلم. تكفي قائمة فيها اسم واحد.",
  design: "تصميم شهادة",
  toTypes: "عرض شهادة",
  newCourse: "إنشاء دورة…",
  name: "الاسم",
  nameMeans: "تطبعه الشهادات.",
  organisation: "الجهة",
  organisationMeans: "اسم قصير مثل Uni. وقد يتوقف عليه من يرى الدورة.",
  edition: "الطبعة",
  editionMeans: "تميّز الدورات ذات الاسم الواحد: سنة أو فصل دراسي.",
  forPrograms: "للبرامج",
  code: "الرمز",
  codeMeans: "إن تُرك فارغًا أُخذ من الاسم. حروف وأرقام و - _ ~ . :",
  key: "المفتاح:",
  courseMeans:
    "لدورات لا تُبلغ عنها أي منصة. يأتي متعلموها من قائمة. وإن أبلغت عنها منصة لاحقًا فالعبرة بما تقوله.",
  make: "إنشاء الدورة",
  made: "توجد الآن دورة:",
  madeMeans: "اعرض فيها شهادة بعد ذلك، ثم أصدر لمن في قائمة.",
  connect: "وصل منصة…",
  connectMeans:
    "يصل Open edX أو Moodle أو Canvas من يشغّل الخدمة، وصفحة «Connectors» في التوثيق تبيّن كيف. هذه الأوامر تفحص ذلك وتعرض ما سيُقرأ:",
  importMeans: "وتُقرأ سجلات أي برنامج آخر من ملف:",
};
