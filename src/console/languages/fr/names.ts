import type { NamesWording } from "../en/names.js";
import { counter } from "../plural.js";

const count = counter("fr");

export const words: NamesWording = {
  correct: "Corriger le nom…",
  correctEmail: "Corriger l’adresse…",
  issueOne: "Délivrer une attestation…",
  willPrint: "Elle peut être délivrée et imprime le nom {name}.",
  printed: "Nom à imprimer",
  printedMeans: "Les attestations émises dorénavant le porteront.",
  emailMeans: "Les courriels à cette personne partiront désormais à cette adresse.",
  told: "Les données disent {name}.",
  reasonMeans: "Pour le reste du personnel. Il n’est pas public.",
  stays:
    "La correction reste quand la plateforme renvoie le même nom. Si elle en envoie un autre, on vous demandera lequel est juste.",
  emailStays:
    "La correction est conservée si la plateforme renvoie la même adresse. Si elle en envoie une autre, on vous demandera laquelle est la bonne.",
  noRecordedEmail: "Le dossier ne contient aucune adresse e-mail.",
  save: "Corriger",
  correctedBy: "Corrigé par {by} le {date} : {reason}",
  undecided:
    "Les données disent maintenant {told}, ce qui est nouveau. {name} compte encore, jusqu’à ce que quelqu’un décide.",
  keep: "Garder {name}",
  take: "Prendre {told}",
  withdraw: "Retirer la correction",
  bounded:
    "Les noms et les adresses sont communs à toutes les organisations : seul le personnel qui a accès à toutes peut les modifier.",
  onReissue: "Nom sur la nouvelle attestation",
  onReissueMeans: "S’il est faux, corrigez-le ici : le nom de la personne est corrigé pour le même motif.",
  others: count({
    one: "{n} attestation valable porte un autre nom.",
    other: "{n} attestations valables portent un autre nom.",
  }),
  toDecide: count({
    one: "Il faut décider de {n} nom corrigé : la plateforme a changé le sien.",
    other: "Il faut décider de {n} noms corrigés : la plateforme a changé les siens.",
  }),
  emailsToDecide: count({
    one: "Il faut décider de {n} adresse e-mail corrigée : la plateforme a changé la sienne.",
    other: "Il faut décider de {n} adresses e-mail corrigées : la plateforme a changé les siennes.",
  }),
  learnerRecordMeans:
    "Ses badges, en un fichier signé valable 90 jours. Le PDF les énumère pour la lecture et contient ce fichier.",
  downloadRecord: "Télécharger le relevé",
  downloadRecordPdf: "Télécharger en PDF",
  recordIsPartial:
    "Toutes les attestations valides n’y sont pas\u00a0: certaines n’ont pas de badge, ou elles sont trop nombreuses.",
};
