import type { HistoryWording } from "../en/history.js";

export const words: HistoryWording = {
  means: "ما حُفظ، الأحدث أولاً. تُرسم الصورة من جديد بملفات اليوم.",
  current: "كما هي الآن",
  first: "الإصدار الأول",
  version: "الإصدار {n}",
  savedBy: "{who}، {time}",
  changed: "تغيّر: {list}",
  added: "جديد: {list}",
  removed: "أُزيل: {list}",
  restore: "استعادة هذا الإصدار",
  restoreMeans: "يأتي إلى النموذج كتغيير يمكن التراجع عنه. لا يُحفظ شيء قبل أن تحفظه بنفسك.",
  duplicate: "نوع جديد منه",
  none: "لم يُحفظ شيء بعد.",
};
