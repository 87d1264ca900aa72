import type { ReplacementWording } from "../en/replacement.js";

export const words: ReplacementWording = {
  means:
    "Se questo attestato è stato sostituito da uno rilasciato a parte, colleghi i due. Così un ritiro che era solo una correzione non sembra una frode. Non viene rilasciato nulla e nessuno riceve un’e-mail. Non si può annullare.",
  search: "Quale attestato lo sostituisce?",
  searchHelp: "Ne scelga qui sotto uno dello stesso studente, o incolli l’indirizzo o l’UUID di uno.",
  found: "Attestati trovati",
  none: "Non c’è un altro attestato di questo studente",
  noneMeans: "Rilasci prima quello giusto, o rilasci di nuovo invece di collegare. Poi torni qui.",
  unfit: {
    itself: "È l’attestato ritirato stesso.",
    otherLearner: "È di un altro studente.",
    notAvailable: "Ora non è valido: solo uno valido può sostituirne un altro.",
    replacesAnother: "Sostituisce già un altro attestato.",
  },
  wouldHappen: "Che cosa accadrà",
  oldPage: "La pagina dell’attestato ritirato dice che è stato sostituito, e porta a quello nuovo.",
  newPage: "Il nuovo attestato dice quale sostituisce. Il suo documento resta com’è.",
  link: "Collega come sostituto",
};
