import type { Wording } from "./wording.js";

export const ar: Wording = {
  tag: "ar",
  direction: "rtl",
  languageName: "العربية",

  document: {
    awardedTo: "تُمنح هذه الشهادة إلى",
    for: "عن",
    dateOfIssue: "تاريخ الإصدار",
    dateOfAward: "تاريخ المنح",
    validUntil: "صالحة حتى",
    completion: "الإتمام",
    signature: "التوقيع",
    grade: "الدرجة",
    hours: "الساعات",
    credits: "الوحدات الدراسية",
    learnerId: "رقم المتعلّم",
    verifyAt: "للتحقق:",
    identifier: "المعرّف:",
  },

  mail: {
    subject: "{platformName}: شهادتك في {learningContextName} متاحة الآن",
    heading: "شهادتك متاحة الآن",
    introduction: "أصدرت لك منصة {platformName} شهادة.",
    credentialType: "الشهادة: {credentialType}",
    learningContext: "الدورة أو مسار التعلّم: {learningContextName}",
    download: "تنزيل الشهادة",
    privacy: "هذا الرابط خاص بك: كل من لديه الرابط يمكنه تنزيل شهادتك.",
    expirySubject: "{platformName}: تنتهي صلاحية شهادتك في {learningContextName} قريبًا",
    expiryHeading: "تنتهي صلاحية شهادتك قريبًا",
    expiryIntroduction: "شهادتك من منصة {platformName} صالحة حتى {lastDay}.",
    expiryLink: "عرض الشهادة",
  },

  page: {
    languages: "اللغة",

    verification: "التحقق من الشهادات",
    genuine: "هذه الشهادة أصلية",
    genuineMeans: "أصدرتها منصة {platformName}، وهي صالحة.",
    nameUnconfirmed: "لم يعد من الممكن تأكيد الاسم",
    nameUnconfirmedMeans:
      "أصدرت منصة {platformName} هذه الشهادة، وهي صالحة. حُذف الاسم بناءً على طلب صاحبه، ولذلك قد تحمل أي نسخة تقود إلى هنا أي اسم. لا تعتمد على الاسم المكتوب في المستند وحده.",
    invalidated: "أُبطلت هذه الشهادة",
    invalidatedMeans: "أصدرتها منصة {platformName} ثم سحبتها. لم تعد صالحة.",
    elsewhere: "صدرت هذه الشهادة عن جهة أخرى",
    elsewhereMeans: "نقلتها منصة {platformName} إليها في {date}، وهي صالحة.",
    elsewhereUnconfirmedMeans:
      "صدرت هذه الشهادة عن جهة أخرى. نقلتها منصة {platformName} إليها في {date}، وهي صالحة. حُذف الاسم بناءً على طلب صاحبه، ولذلك قد تحمل أي نسخة تقود إلى هنا أي اسم. لا تعتمد على الاسم المكتوب في المستند وحده.",
    elsewhereInvalidatedMeans: "صدرت عن جهة أخرى، ونقلتها منصة {platformName} إليها في {date}. لم تعد صالحة.",
    expired: "انتهت صلاحية هذه الشهادة",
    expiredMeans: "أصدرتها منصة {platformName}، وكانت صالحة حتى {lastDay}.",
    elsewhereExpiredMeans:
      "صدرت عن جهة أخرى، ونقلتها منصة {platformName} إليها في {date}. كانت صالحة حتى {lastDay}.",
    notFound: "لم يُعثر على الشهادة",
    notFoundMeans:
      "لا تعرف منصة {platformName} شهادة بهذا المعرّف. قارنه بالمعرّف المكتوب على الوثيقة حرفًا بحرف. إن كان مطابقًا فلا تثق بالوثيقة.",

    holder: "صاحب الشهادة",
    nameRemoved: "حُذف الاسم بناءً على طلب صاحبه",
    learningContext: "الدورة أو مسار التعلّم",
    credentialType: "الشهادة",
    issuer: "جهة الإصدار",
    issuerNotNamed: "جهة أخرى لم يُذكر اسمها",
    takenOver: "نُقلت إلى",
    issued: "تاريخ الإصدار",
    status: "الحالة",
    statusAvailable: "صالحة",
    statusInvalidated: "مُبطلة",
    statusExpired: "منتهية الصلاحية",
    validUntil: "صالحة حتى",
    renewed: "جُدِّدت",
    seeRenewal: "عرض الشهادة التي تجددها",
    reason: "السبب",
    identifier: "المعرّف",
    checked: "وقت التحقق",

    fileCheck: "هل هذا الملف هو الأصل؟",
    fileCheckMeans: "إن وصلك ملف PDF فقارنه بالملف الذي صدر. يقوم متصفحك بذلك، ويبقى الملف على جهازك.",
    chooseFile: "اختيار ملف PDF",
    dropFile: "أو إفلاته هنا",
    fileChecking: "جارٍ المقارنة…",
    fileIdentical: "هذا هو الأصل",
    fileIdenticalMeans: "الملف مطابق للملف الذي صدر.",
    fileIdenticalInvalidated: "الملف مطابق للملف الذي صدر، لكن الشهادة أُبطلت.",
    fileIdenticalExpired: "الملف مطابق للملف الذي صدر، لكن صلاحية الشهادة انتهت.",
    fileTakenOver: "هذا هو الملف الذي نُقل",
    fileTakenOverMeans:
      "الملف مطابق للملف الذي نقلته منصة {platformName} إليها في {date}. وقد صدر عن جهة أخرى.",
    fileTakenOverInvalidated:
      "الملف مطابق للملف الذي نقلته منصة {platformName} إليها في {date}، لكن الشهادة أُبطلت.",
    fileTakenOverExpired:
      "الملف مطابق للملف الذي نقلته منصة {platformName} إليها في {date}، لكن صلاحية الشهادة انتهت.",
    fileDifferent: "ليس هذا هو الملف الذي صدر",
    fileDifferentMeans:
      "عُدّل الملف، أو حُفظ من جديد، أو يخص شهادة أخرى. اعتمد على ما تقوله هذه الصفحة لا على الملف.",
    fileUnreadable: "تتعذر قراءة الملف. اختره مرة أخرى.",
    byHand: "المقارنة يدويًا",
    byHandChecksum: "المجموع الاختباري SHA-256 للملف الذي صدر هو:",
    byHandCommands: "تعرض هذه الأوامر المجموع الاختباري لملفك:",

    forHolder: "هل هذه شهادتك؟",
    addToLinkedIn: "إضافة إلى ملف LinkedIn",
    link: "رابط هذه الصفحة",
    copyLink: "نسخ",
    linkCopied: "نُسخ الرابط",

    verifyAnother: "التحقق من شهادة أخرى",
    trustAddress: "لا تثق بهذه الصفحة إلا على العنوان {address}",
    form: "التحقق من شهادة",
    formMeans: "أدخل المعرّف أو العنوان المطبوع على الوثيقة.",
    formExample: "مثلًا {address}",
    verify: "تحقق",
    unreadableIdentifier:
      "ليس هذا معرّف شهادة. يتكون المعرّف من 32 خانة من 0 إلى 9 ومن a إلى f، أو يكون عنوانًا يبدأ بـ {address}",

    download: "تنزيل",
    linkLeadsNowhere: "هذا الرابط لا يؤدي إلى شيء. تأكد من أنه الرابط الكامل الوارد في رسالتك.",
    downloadInvalidated: "أُبطلت هذه الشهادة، ولم يعد تنزيلها ممكنًا.",
    downloadUnavailable: "هذه الشهادة غير متاحة، ولا يمكن تنزيلها الآن.",
    downloadNotFound: "لا توجد هذه الشهادة، أو أنها ليست لك.",
    downloadRefused: "سجّل الدخول إلى منصة التعلّم أولًا، ثم افتح الرابط مرة أخرى.",

    onlyGet: "لا يُسمح هنا إلا بـ GET و HEAD.",
    outOfReach: "تتعذر الإجابة الآن. حاول مرة أخرى لاحقًا.",
    fault: "حدث خطأ هنا. حاول مرة أخرى لاحقًا.",
  },
};
