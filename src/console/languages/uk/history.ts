import type { HistoryWording } from "../en/history.js";

export const words: HistoryWording = {
  means: "Що було збережено, найновіше спочатку. Зображення малюється наново, з сьогоднішніми файлами.",
  current: "Як зараз",
  first: "Перша версія",
  version: "Версія {n}",
  savedBy: "{who}, {time}",
  changed: "Змінено: {list}",
  added: "Нове: {list}",
  removed: "Прибрано: {list}",
  restore: "Взяти цю версію",
  restoreMeans:
    "Вона з’явиться у формі як зміна, яку можна скасувати. Нічого не збережено, доки ви цього не зробите.",
  duplicate: "Новий тип із неї",
  none: "Ще нічого не збережено.",
};
