import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Name der Datei, auf die gedruckt wird; Vorgabe: die eingebaute Gestaltung",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Farbe einer leeren Seite, auf die diese Optionen alles setzen; ohne sie und ohne Seite zum Bedrucken gilt die eingebaute Gestaltung",
  "Slug of the asset to print on when the context name has several lines":
    "Name der Datei, auf die gedruckt wird, wenn der Kursname mehrere Zeilen hat",
  "Style of all text elements that don't set their own": "Stil aller Texte, die keinen eigenen haben",
  "Slug of a font asset, or the name of a built-in family":
    "Name einer Schriftdatei, oder einer eingebauten Familie",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Farbe des Textes: hexadezimal, accent, ink oder paper, oder ein Ton wie accent/40",
  "Size in points": "Größe in Punkten",
  "Space added between letters, in points": "Zusätzlicher Abstand zwischen Buchstaben, in Punkten",
  "Whether to print in capitals, by the rules of the language":
    "Ob in Großbuchstaben gedruckt wird, nach den Regeln der Sprache",
  "Whether small letters are printed as small capitals, where the font has them":
    "Ob Kleinbuchstaben als Kapitälchen gedruckt werden, wo die Schrift sie hat",
  "Line spacing, as a multiple of the size": "Zeilenabstand, als Vielfaches der Größe",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Texte nach Namen. name, context und date lassen sich ändern oder auf false setzen; andere brauchen text und y",
  "Position in points from the left; default: the middle of the page":
    "Lage in Punkten von links; Vorgabe: die Mitte der Seite",
  "Baseline of the first line, in points from the bottom":
    "Grundlinie der ersten Zeile, in Punkten von unten",
  "Which point of each line is at x": "Welcher Punkt jeder Zeile bei x liegt",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Größte Breite in Punkten. Ein längerer Text wird kleiner, dann umbrochen, dann getrennt; einer, der weniger als 5 Punkte bräuchte, wird abgelehnt",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Größte Zahl der Zeilen; Vorgabe: 3, ohne max_width 1",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Anteil seiner Größe, auf den ein Text schrumpft, ehe er umbrochen wird; Vorgabe: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Kleinste Größe in Punkten: ein Text, der kleiner sein müsste, wird abgelehnt; Vorgabe: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "QR-Code der Prüfadresse; Vorgabe: nur in der eingebauten Gestaltung",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Dauer des Kurses in Stunden, für {hours} und die Angaben der eingebauten Gestaltung",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Leistungspunkte, etwa 6 ECTS, für {credits} und die Angaben der eingebauten Gestaltung",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "Wer unterschreibt, für {signatory_name}, {signatory_title} und die Unterschriftszeile der eingebauten Gestaltung",
  "Name of the person who signs": "Name der Person, die unterschreibt",
  "Office of that person, such as Dean of Studies": "Amt dieser Person, etwa Studiendekanin",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Wer unterschreibt, nebeneinander bei places.signatures; Vorgabe: die Option signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "Der Titel des Dokuments nach Sprache, für {title} und {second.title}; Vorgabe: der Nachweistyp",
  "Labels by names of facts; default: those of the language":
    "Beschriftungen nach Namen der Angaben; Vorgabe: die der Sprache",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Name einer PNG-, JPEG- oder SVG-Datei: ein Logo oder Wappen, bei places.logo oder oben in der eingebauten Gestaltung",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Wo Logo, Angaben, Unterschriften und Siegel auf einer Seite stehen; was keinen Platz hat, wird nicht gedruckt",
  "Images, above the template and below the texts": "Bilder, über der Seite und unter den Texten",
  "The page; a PDF template has its own": "Die Seite; ein PDF hat seine eigene",
  "Paper size": "Papierformat",
  "Orientation of the page": "Ausrichtung der Seite",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "Die Farbe accent; in der eingebauten Gestaltung die von Rahmen, Siegel und Aussteller",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Verschlüsselt mit AES-256: alle können das Dokument öffnen, drucken und kopieren, aber niemand ändern; schließt PDF/A aus",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Wie lange Nachweise gelten: eine Zeit ab Ausstellung, etwa P2Y, P18M oder P30D, oder der letzte Tag, etwa 2027-08-31; Vorgabe: immer",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Wie lange vor Ablauf Läufe erneuern, etwa P60D; P0D: nach Ablauf; Vorgabe: Läufe erneuern nichts",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Tage vor Ablauf, an denen Lernende eine Mail bekommen; Vorgabe: 60, 14, 1; []: nie",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Eigene Worte in der Mail, dass ein Nachweis verfügbar ist: Text mit höchstens 2000 Zeichen, jede Zeile ein Absatz",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Was der Open Badge neben den Angaben sagt; false: kein Badge",
  "What was achieved; default: the names of type and context":
    "Was erreicht wurde; Vorgabe: die Namen von Typ und Kurs",
  "What it takes to earn it; default: the names of type and context":
    "Was man dafür tun muss; Vorgabe: die Namen von Typ und Kurs",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Adresse eines Bildes der Leistung, das alle laden können: https://…",
  "Fraction 0..1 of the course that must be completed.":
    "Anteil des Kurses, 0 bis 1, der abgeschlossen sein muss.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Ob Total die Gesamtnote der Plattform ist statt der gewichteten Summe der Aufgabentypen.",
};
