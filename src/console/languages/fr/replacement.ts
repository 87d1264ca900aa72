import type { ReplacementWording } from "../en/replacement.js";

export const words: ReplacementWording = {
  means:
    "Si cette attestation a été remplacée par une autre, émise à part, liez les deux. Une invalidation qui n’était qu’une correction ne ressemble alors pas à une fraude. Rien n’est émis et personne ne reçoit de courriel. C’est irréversible.",
  search: "Quelle attestation la remplace ?",
  searchHelp:
    "Choisissez-en une du même apprenant ci-dessous, ou collez l’adresse ou l’UUID de l’une d’elles.",
  found: "Attestations trouvées",
  none: "Il n’y a pas d’autre attestation de cet apprenant",
  noneMeans: "Émettez d’abord la bonne, ou réémettez au lieu de lier. Revenez ensuite.",
  unfit: {
    itself: "C’est l’attestation invalidée elle-même.",
    otherLearner: "Elle est à un autre apprenant.",
    notAvailable:
      "Elle n’est pas valide actuellement : seule une attestation valide peut en remplacer une autre.",
    replacesAnother: "Elle remplace déjà une autre attestation.",
  },
  wouldHappen: "Ce qui se passera",
  oldPage: "La page de l’attestation invalidée dira qu’elle a été remplacée, et mènera à la nouvelle.",
  newPage: "La nouvelle attestation dira laquelle elle remplace. Son document reste tel quel.",
  link: "Lier comme remplaçante",
};
