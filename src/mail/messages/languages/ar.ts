import type { Wording } from "../wording.js";

export const wording: Wording = {
  direction: "rtl",
  subject: "{platformName}: شهادتك في {learningContextName} متاحة الآن",
  heading: "شهادتك متاحة الآن",
  introduction: "أصدرت لك منصة {platformName} شهادة.",
  credentialType: "الشهادة: {credentialType}",
  learningContext: "الدورة أو مسار التعلّم: {learningContextName}",
  download: "تنزيل الشهادة",
  privacy: "هذا الرابط خاص بك: كل من لديه الرابط يمكنه تنزيل شهادتك.",
};
