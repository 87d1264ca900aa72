import type { SetupWording } from "../en/setup.js";

export const words: SetupWording = {
  title: "Erste Schritte",
  done: "(erledigt)",
  stepCourse: "Einen Kurs haben: die Plattform verbinden, die ihn hält, oder hier einen anlegen.",
  stepDesign: "Einen Nachweis gestalten: mit einem der Entwürfe beginnen.",
  stepOffer: "Den Nachweis im Kurs anbieten.",
  stepIssue: "Den ersten Nachweis ausstellen. Eine Liste mit einem Namen genügt.",
  design: "Nachweis gestalten",
  toTypes: "Nachweis anbieten",
  newCourse: "Kurs anlegen …",
  name: "Bezeichnung",
  nameMeans: "Nachweise drucken sie.",
  organisation: "Einrichtung",
  organisationMeans: "Ein kurzer Name, etwa Uni. Wer den Kurs sehen darf, kann davon abhängen.",
  edition: "Ausgabe",
  editionMeans: "Unterscheidet Kurse gleichen Namens: ein Jahr oder ein Semester.",
  forPrograms: "Für Programme",
  code: "Kürzel",
  codeMeans: "Leer: aus dem Namen gebildet. Buchstaben, Ziffern und - _ ~ . :",
  key: "Schlüssel:",
  courseMeans:
    "Für Kurse, von denen keine Plattform berichtet. Die Lernenden kommen aus einer Liste. Berichtet später eine Plattform davon, gilt, was sie berichtet.",
  make: "Kurs anlegen",
  made: "Es gibt jetzt einen Kurs:",
  madeMeans: "Bieten Sie als Nächstes einen Nachweis darin an. Dann stellen Sie nach einer Liste aus.",
  connect: "Plattform verbinden …",
  connectMeans:
    "Wer den Dienst betreibt, verbindet Open edX, Moodle oder Canvas: Die Seite „Connectors“ der Dokumentation sagt, wie. Diese Befehle prüfen das und zeigen, was gelesen würde:",
  importMeans: "Daten jedes anderen Programms werden aus einer Datei gelesen:",
};
