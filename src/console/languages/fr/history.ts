import type { HistoryWording } from "../en/history.js";

export const words: HistoryWording = {
  means:
    "Ce qui a été enregistré, le plus récent d’abord. L’image est redessinée avec les fichiers d’aujourd’hui.",
  current: "Tel que c’est maintenant",
  first: "La première version",
  version: "Version n° {n}",
  savedBy: "{who}, {time}",
  changed: "Modifié : {list}",
  added: "Nouveau : {list}",
  removed: "Retiré : {list}",
  restore: "Reprendre cette version",
  restoreMeans:
    "Elle arrive dans le formulaire comme une modification que l’on peut annuler. Rien n’est enregistré avant que vous le fassiez.",
  duplicate: "Nouveau type à partir d’elle",
  none: "Rien n’a encore été enregistré.",
};
