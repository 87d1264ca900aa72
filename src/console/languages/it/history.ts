import type { HistoryWording } from "../en/history.js";

export const words: HistoryWording = {
  means: "Ciò che è stato salvato, prima il più recente. L’immagine è ridisegnata con i file di oggi.",
  current: "Com’è adesso",
  first: "La prima versione",
  version: "Versione {n}",
  savedBy: "{who}, {time}",
  changed: "Cambiato: {list}",
  added: "Nuovo: {list}",
  removed: "Tolto: {list}",
  restore: "Riprendi questa versione",
  restoreMeans:
    "Arriva nel modulo come una modifica che si può annullare. Nulla è salvato prima che lo faccia lei.",
  duplicate: "Nuovo tipo da questa",
  none: "Non è ancora stato salvato nulla.",
};
