import type { NamesWording } from "../en/names.js";
import { counter } from "../plural.js";

const count = counter("it");

export const words: NamesWording = {
  correct: "Correggi il nome…",
  correctEmail: "Correggi l’indirizzo…",
  issueOne: "Rilasciare un attestato…",
  willPrint: "Si può rilasciare e stampa il nome {name}.",
  printed: "Nome da stampare",
  printedMeans: "Lo riportano gli attestati rilasciati da ora in poi.",
  emailMeans: "D’ora in poi le e-mail a questa persona vanno a questo indirizzo.",
  told: "I dati dicono {name}.",
  reasonMeans: "Per il resto del personale. Non è pubblico.",
  stays:
    "La correzione resta quando la piattaforma invia di nuovo lo stesso nome. Se ne invia un altro, Le si chiede quale sia giusto.",
  emailStays:
    "La correzione resta quando la piattaforma invia di nuovo lo stesso indirizzo. Se ne invia un altro, Le si chiede quale sia giusto.",
  noRecordedEmail: "La scheda non ha un indirizzo e-mail.",
  save: "Correggi",
  correctedBy: "Corretto da {by} il {date}: {reason}",
  undecided: "I dati ora dicono {told}, che è nuovo. {name} continua a valere finché qualcuno decide.",
  keep: "Tieni {name}",
  take: "Prendi {told}",
  withdraw: "Ritira la correzione",
  bounded:
    "Nomi e indirizzi sono comuni a tutte le organizzazioni: può cambiarli solo chi ha accesso a tutte.",
  onReissue: "Nome sul nuovo attestato",
  onReissueMeans:
    "Se è sbagliato, lo corregga qui: il nome della persona viene corretto per lo stesso motivo.",
  others: count({
    one: "{n} attestato valido riporta un altro nome.",
    other: "{n} attestati validi riportano un altro nome.",
  }),
  toDecide: count({
    one: "C’è da decidere su {n} nome corretto: la piattaforma ha cambiato il suo.",
    other: "C’è da decidere su {n} nomi corretti: la piattaforma ha cambiato i suoi.",
  }),
  emailsToDecide: count({
    one: "C’è da decidere su {n} indirizzo e-mail corretto: la piattaforma ha cambiato il suo.",
    other: "C’è da decidere su {n} indirizzi e-mail corretti: la piattaforma ha cambiato i suoi.",
  }),
  learnerRecordMeans:
    "I suoi badge, in un file firmato valido 90 giorni. Il PDF li elenca per la lettura e contiene quel file.",
  downloadRecord: "Scarica il riepilogo",
  downloadRecordPdf: "Scarica in PDF",
  recordIsPartial: "Non contiene tutti gli attestati validi: alcuni non hanno un badge, o sono troppi.",
};
