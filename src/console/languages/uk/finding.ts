import type { FindingWording } from "../en/finding.js";

export const words: FindingWording = {
  thisMonth: "Цей місяць",
  lastMonth: "Минулий місяць",
  thisYear: "Цей рік",
  presets: "Часто шукають",
  keys: "Клавіші",
  searchKey: "Шукати все: ім’я, адресу, UUID, сторінку",
  arrowsKey: "Вибрати зі знайденого",
  enterKey: "Відкрити вибране або надіслати форму",
  escapeKey: "Закрити діалог; нічого не станеться",
  tabKey: "До наступного поля чи кнопки, назад із Shift",
  helpKey: "Ці клавіші",
};
