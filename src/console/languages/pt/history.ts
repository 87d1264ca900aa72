import type { HistoryWording } from "../en/history.js";

export const words: HistoryWording = {
  means: "O que foi salvo, o mais recente primeiro. A imagem é desenhada de novo, com os arquivos de hoje.",
  current: "Como está agora",
  first: "A primeira versão",
  version: "Versão {n}",
  savedBy: "{who}, {time}",
  changed: "Alterado: {list}",
  added: "Novo: {list}",
  removed: "Retirado: {list}",
  restore: "Retomar esta versão",
  restoreMeans:
    "Ela entra no formulário como uma alteração que pode ser desfeita. Nada é salvo antes que você o faça.",
  duplicate: "Novo tipo a partir dela",
  none: "Nada foi salvo ainda.",
};
