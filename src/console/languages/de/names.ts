import type { NamesWording } from "../en/names.js";
import { counter } from "../plural.js";

const count = counter("de");

export const words: NamesWording = {
  correct: "Name berichtigen…",
  correctEmail: "Adresse berichtigen…",
  issueOne: "Nachweis ausstellen …",
  willPrint: "Er kann ausgestellt werden und druckt den Namen {name}.",
  printed: "Zu druckender Name",
  printedMeans: "Nachweise, die von jetzt an ausgestellt werden, tragen ihn.",
  emailMeans: "E-Mails an diese Person gehen von jetzt an an diese Adresse.",
  told: "In den Daten steht {name}.",
  reasonMeans: "Für andere Mitarbeitende. Er ist nicht öffentlich.",
  stays:
    "Die Berichtigung bleibt, wenn die Plattform wieder denselben Namen sendet. Sendet sie einen anderen, werden Sie gefragt, welcher richtig ist.",
  emailStays:
    "Die Berichtigung bleibt, wenn die Plattform wieder dieselbe Adresse sendet. Sendet sie eine andere, werden Sie gefragt, welche richtig ist.",
  noRecordedEmail: "In den Daten steht keine E-Mail-Adresse.",
  save: "Berichtigen",
  correctedBy: "Berichtigt von {by} am {date}: {reason}",
  undecided: "In den Daten steht jetzt {told}, das ist neu. {name} gilt weiter, bis jemand entscheidet.",
  keep: "{name} behalten",
  take: "{told} übernehmen",
  withdraw: "Berichtigung zurücknehmen",
  bounded:
    "Namen und Adressen gelten in allen Organisationen. Nur wer auf alle zugreifen darf, kann sie ändern.",
  onReissue: "Name auf dem neuen Nachweis",
  onReissueMeans:
    "Ist er falsch, berichtigen Sie ihn hier: Aus demselben Grund wird der Name der Person berichtigt.",
  others: count({
    one: "{n} gültiger Nachweis trägt einen anderen Namen.",
    other: "{n} gültige Nachweise tragen einen anderen Namen.",
  }),
  toDecide: count({
    one: "Über {n} berichtigten Namen ist zu entscheiden: Die Plattform hat ihren geändert.",
    other: "Über {n} berichtigte Namen ist zu entscheiden: Die Plattform hat ihre geändert.",
  }),
  emailsToDecide: count({
    one: "Über {n} berichtigte E-Mail-Adresse ist zu entscheiden: Die Plattform hat ihre geändert.",
    other: "Über {n} berichtigte E-Mail-Adressen ist zu entscheiden: Die Plattform hat ihre geändert.",
  }),
  learnerRecordMeans:
    "Die Abzeichen als eine signierte Datei, die 90 Tage gilt. Das PDF führt sie zum Lesen auf und enthält diese Datei.",
  downloadRecord: "Nachweisübersicht herunterladen",
  downloadRecordPdf: "Als PDF herunterladen",
  recordIsPartial:
    "Nicht alle gültigen Nachweise sind enthalten: Manche haben kein Abzeichen, oder es sind zu viele.",
};
