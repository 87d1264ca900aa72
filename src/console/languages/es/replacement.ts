import type { ReplacementWording } from "../en/replacement.js";

export const words: ReplacementWording = {
  means:
    "Si esta credencial fue sustituida por otra que se emitió aparte, enlace ambas. Así una anulación que solo fue una corrección no parece un fraude. No se emite nada y nadie recibe un correo. No se puede deshacer.",
  search: "¿Qué credencial la sustituye?",
  searchHelp: "Elija abajo una del mismo estudiante o pegue la dirección o el UUID de una.",
  found: "Credenciales encontradas",
  none: "No hay otra credencial de este estudiante",
  noneMeans: "Emita primero la correcta, o reemita en lugar de enlazar. Después vuelva aquí.",
  unfit: {
    itself: "Es la propia credencial anulada.",
    otherLearner: "Es de otro estudiante.",
    notAvailable: "Ahora no es válida: solo una válida puede sustituir a otra.",
    replacesAnother: "Ya sustituye a otra credencial.",
  },
  wouldHappen: "Qué ocurrirá",
  oldPage: "La página de la credencial anulada dirá que fue sustituida y conducirá a la nueva.",
  newPage: "La nueva credencial dirá a cuál sustituye. Su documento queda como está.",
  link: "Enlazar como sustituta",
};
