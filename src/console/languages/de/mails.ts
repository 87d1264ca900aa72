import type { MailsWording } from "../en/mails.js";
import { counter } from "../plural.js";

const count = counter("de");

export const words: MailsWording = {
  means: "Alle E-Mails zu Nachweisen: dass einer da ist, bald abläuft oder widerrufen wurde.",
  kinds: {
    available: "Nachweis ist da",
    expiry: count({ one: "Läuft in einem Tag ab", other: "Läuft in {n} Tagen ab" }),
    withdrawal: "Nachweis widerrufen",
  },
  byState: "Nach Zustand",
  state: "Zustand",
  states: {
    waiting: "Wartet",
    sent: "Gesendet",
    refused: "Abgelehnt",
    "no-address": "Keine Adresse",
    dropped: "Nicht gesendet",
  },
  meanings: {
    waiting: "Sie ist eingereiht. Ist der Mailserver nicht erreichbar, wird es von selbst wieder versucht.",
    sent: "Der Mailserver hat sie angenommen.",
    refused:
      "Der Mailserver hat sie endgültig abgelehnt. Berichtigen Sie die Adresse, und senden Sie die E-Mail erneut.",
    "no-address":
      "Die Person hatte keine E-Mail-Adresse. Ergänzen Sie eine, und senden Sie die E-Mail erneut.",
    dropped:
      "Der Nachweis wurde widerrufen, erneuert oder ersetzt oder die Person gelöscht, bevor die E-Mail gesendet war.",
  },
  changed: "In diesem Zustand seit",
  action: "Aktion",
  resent: count({ one: "Einmal erneut gesendet", other: "{n}-mal erneut gesendet" }),
  ofCredential: "Zum Nachweis",
  noneYet: "Noch keine E-Mails",
  noneYetMeans:
    "Eine E-Mail wird eingereiht, sobald das Dokument eines Nachweises da ist. Hier sehen Sie, ob der Mailserver sie angenommen hat, und senden sie erneut, wenn jemand sie verloren hat.",
  noneInState: "Keine E-Mail ist in diesem Zustand",
  showAll: "Alle E-Mails zeigen",
  resendTitle: "E-Mail erneut senden",
  resendMeans: "Sendet die E-Mail zu diesem Nachweis noch einmal, höchstens fünfmal am Tag.",
  to: "An",
  noAddress: "Die Person hat keine E-Mail-Adresse. Ergänzen Sie sie hier oder auf der Plattform.",
  noRecord: "Es gibt keinen Datensatz dieser Person mehr, also auch keine Adresse.",
  soFar: "Bisher",
  answered: "Antwort des Mailservers",
  refusals: {
    noMailbox: "Postfach nicht vorhanden",
    noDomain: "Die Domain empfängt keine E-Mails",
    disabled: "Das Postfach ist gesperrt",
    full: "Das Postfach ist voll",
    tooLarge: "Die E-Mail ist zu groß",
  },
  neverSent: "Dazu wurde noch keine E-Mail eingereiht.",
  isWaiting: "Sie ist schon unterwegs.",
  withdrawalEmail: count({
    one: "Die Person erhält eine E-Mail mit der Begründung, sofern eine Adresse bekannt ist.",
    other: "Die Lernenden erhalten eine E-Mail mit der Begründung, sofern eine Adresse bekannt ist.",
  }),
  reissueEmail: count({
    one: "Die Person erhält eine E-Mail zum neuen Nachweis, sofern eine Adresse bekannt ist.",
    other: "Die Lernenden erhalten eine E-Mail zu den neuen Nachweisen, sofern eine Adresse bekannt ist.",
  }),
  andMore: count({ one: "und {n} weiterer", other: "und {n} weitere" }),
  sendAgain: "Erneut senden",
};
