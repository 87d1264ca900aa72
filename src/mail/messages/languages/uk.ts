import type { Wording } from "../wording.js";

export const wording: Wording = {
  direction: "ltr",
  subject: "{platformName}: ваш сертифікат («{learningContextName}») доступний",
  heading: "Ваш сертифікат доступний",
  introduction: "Платформа {platformName} видала вам сертифікат.",
  credentialType: "Сертифікат: {credentialType}",
  learningContext: "Курс або навчальний шлях: {learningContextName}",
  download: "Завантажити сертифікат",
  privacy: "Це посилання особисте: кожен, хто його має, може завантажити ваш сертифікат.",
};
