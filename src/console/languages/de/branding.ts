import type { BrandingWording } from "../en/branding.js";

export const words: BrandingWording = {
  title: "Aussehen von Seiten und Mails",
  means:
    "Prüfseiten, Mails und Seiten für Lernende zeigen diesen Namen, diese Farbe und dieses Logo und wen man fragen kann. Eine Organisation zeigt, was für den ganzen Dienst gilt, wenn sie nichts anderes angibt. Neue Dokumente des Generators des Dienstes haben Logo und Farbe, wo ein Typ sie offen lässt, und Name, Kontakt und Impressum, wo ihre Gestaltung danach verlangt.",
  organisation: "Organisation",
  wholeService: "Der ganze Dienst",
  another: "Eine andere Organisation …",
  organisationCode: "Kürzel der Organisation",
  organisationCodeMeans: "Wie in den Schlüsseln ihrer Kurse: Uni in course-v1:Uni+Kurs+2026.",
  nameMeans: "Steht über Seiten und Mails. Wer einen Nachweis ausgestellt hat, ändert sich dadurch nicht.",
  accent: "Farbe von Links und Knöpfen",
  accentMeans: "Zum Beispiel #1f5468. Wo sie nicht lesbar wäre, wird sie dunkler oder heller.",
  pickColour: "Farbe wählen",
  logoMeans: "Ein PNG oder JPEG aus den Dateien für Gestaltungen, höchstens 200 KB. Mails bringen es mit.",
  noLogo: "Kein Logo",
  asService: "Wie der ganze Dienst",
  contactMeans: "Eine Mailadresse oder eine Adresse mit https.",
  imprintMeans: "Die Seite, die sagt, wer rechtlich verantwortlich ist, mit https.",
  saved: "Gespeichert. Seiten zeigen es binnen zehn Sekunden.",
  mail: "Was Lernende per Mail bekommen",
  mailKind: "Welche Mail",
  subject: "Betreff",
  heading: "Überschrift",
  introduction: "Text nach der Anrede",
  mailPlaceholders: "Was leer ist, sagt die Worte in Grau. Jede Zeile ist ein Absatz. Nennen können Sie:",
  usualWords: "Zurück zu den üblichen Worten",
  asSent: "So bekommen es Lernende",
  mailKinds: {
    1: "Er ist verfügbar",
    2: "Er läuft bald ab",
    3: "Er wurde zurückgezogen",
  },
  language: "Sprache der Lesenden",
  tryWords: "Eigene Worte",
  tryWordsMean:
    "Zum Ausprobieren. Gesendet werden sie, wenn sie in der Option für Mails eines Typs oder eines Angebots stehen.",
};
