import type { HistoryWording } from "../en/history.js";

export const words: HistoryWording = {
  means:
    "Was gespeichert wurde, das Neueste zuerst. Das Bild wird neu gezeichnet, mit den Dateien von heute.",
  current: "Wie es jetzt ist",
  first: "Die erste Fassung",
  version: "Fassung {n}",
  savedBy: "{who}, {time}",
  changed: "Geändert: {list}",
  added: "Neu: {list}",
  removed: "Entfernt: {list}",
  restore: "Diese Fassung übernehmen",
  restoreMeans:
    "Sie kommt als Änderung ins Formular und lässt sich rückgängig machen. Gespeichert wird erst, wenn Sie es tun.",
  duplicate: "Neuer Typ daraus",
  none: "Noch wurde nichts gespeichert.",
};
