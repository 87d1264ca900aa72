import type { HistoryWording } from "../en/history.js";

export const words: HistoryWording = {
  means: "Lo que se guardó, lo más reciente primero. La imagen se dibuja de nuevo, con los archivos de hoy.",
  current: "Como está ahora",
  first: "La primera versión",
  version: "Versión {n}",
  savedBy: "{who}, {time}",
  changed: "Cambiado: {list}",
  added: "Nuevo: {list}",
  removed: "Quitado: {list}",
  restore: "Recuperar esta versión",
  restoreMeans:
    "Llega al formulario como un cambio que se puede deshacer. No se guarda nada hasta que usted lo haga.",
  duplicate: "Nuevo tipo a partir de ella",
  none: "Aún no se ha guardado nada.",
};
