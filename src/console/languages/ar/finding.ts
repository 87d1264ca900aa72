import type { FindingWording } from "../en/finding.js";

export const words: FindingWording = {
  thisMonth: "هذا الشهر",
  lastMonth: "الشهر الماضي",
  thisYear: "هذه السنة",
  presets: "الأكثر طلبًا",
  keys: "المفاتيح",
  searchKey: "البحث في كل شيء: اسم أو بريد أو UUID أو صفحة",
  arrowsKey: "الاختيار مما عُثر عليه",
  enterKey: "فتح المختار أو إرسال النموذج",
  escapeKey: "إغلاق النافذة دون تنفيذ شيء",
  tabKey: "إلى الحقل أو الزر التالي، وللخلف مع Shift",
  helpKey: "هذه المفاتيح",
};
