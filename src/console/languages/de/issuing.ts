import type { IssuingWording } from "../en/issuing.js";
import { counter } from "../plural.js";

const count = counter("de");

export const words: IssuingWording = {
  reasons: {
    HAS_CREDENTIAL: "Hat diesen Nachweis schon",
    NOT_EARNED_ANEW: "Könnte erneuert werden, hat aber seit der Ausstellung keine neuen Ergebnisse",
    NO_FULL_NAME: "Der Datensatz hat keinen vollständigen Namen",
    UNPRINTABLE_NAME: "Der Name hat ein Zeichen, das keine Schrift druckt",
    WITHDRAWN: "Hatte einen, der zurückgezogen wurde: einzeln ausstellen",
    UNKNOWN_LEARNER: "Dem Dienst nicht bekannt",
    NOT_ELIGIBLE: "Erfüllt die Anforderungen nicht oder ist nicht eingeschrieben",
    INVALID: "Nicht lesbar",
    REPEATED: "Steht auch in einer früheren Zeile",
    UNKNOWN: "Aus einem anderen Grund",
  },
  chooseConfiguration: "Wählen, was ausgestellt wird…",
  noConfigurations: "Noch ist kein Nachweis eingerichtet",
  noConfigurationsMeans:
    "Ein Nachweis kann ausgestellt werden, sobald seine Art für einen Kurs oder Lernpfad eingerichtet ist.",
  firstOnly: count({ one: "Nur der erste wird gezeigt.", other: "Nur die ersten {n} werden gezeigt." }),
  runs: {
    empty: "Es gab noch keinen Lauf",
    emptyMeans:
      "Ein Lauf stellt allen einen Nachweis aus, die ihn erworben und noch keinen haben. Vor dem Start sehen Sie, wer einen erhält, wer übergangen wird und warum.",
    started: "Gestartet",
    state: "Stand",
    issued: "Ausgestellt",
    available: "verfügbar",
    generating: "in Arbeit",
    failed: "fehlgeschlagen",
    states: { RUNNING: "Läuft", COMPLETE: "Fertig", CANCELLED: "Abgebrochen" },
    listed: count({ one: "Aus einer Liste mit {n} Person", other: "Aus einer Liste mit {n} Personen" }),
    withoutCheck: "ohne Prüfung der Anforderungen",
  },
  plan: {
    working: "Es wird ermittelt, wer ihn erworben hat…",
    willIssue: count({ one: "{n} Nachweis wird ausgestellt", other: "{n} Nachweise werden ausgestellt" }),
    nothing: "Jetzt erhält niemand einen Nachweis",
    nothingMeans:
      "Alle, die ihn erworben haben, haben ihn schon oder werden aus einem der Gründe unten übergangen.",
    retries: count({
      one: "{n} davon war fehlgeschlagen und wird erneut versucht.",
      other: "{n} davon waren fehlgeschlagen und werden erneut versucht.",
    }),
    who: "Wer einen erhält",
    passedOver: "Übergangen",
    nobodyPassedOver: "Niemand wird übergangen.",
    notEarned: "{n} von {enrolled} Eingeschriebenen erfüllen die Anforderungen nicht.",
    warnings: "Sehen Sie sich das zuerst an",
    samples: "Was sie erhalten",
    sampleFor: "Muster für {name}",
    issue: count({ one: "{n} Nachweis ausstellen", other: "{n} Nachweise ausstellen" }),
    told: "Wer eine Adresse hat, wird per E-Mail benachrichtigt, sobald der Nachweis da ist.",
    changed: "Der Plan hat sich geändert, seit Sie ihn gelesen haben. Es wurde nichts ausgestellt.",
    changedMeans: "Sehen Sie, was anders ist, und starten Sie den Lauf erneut, wenn es stimmt.",
    changedCount: "Nachweise vorher: {before}. Jetzt: {now}.",
    joined: "Erhalten jetzt einen",
    left: "Erhalten keinen mehr",
  },
  run: {
    title: "Lauf: {type}",
    progress: "Fortschritt",
    done: "{done} von {all} erledigt",
    ended: "Beendet",
    live: "Diese Seite folgt dem Lauf. Sie können sie schließen: Der Lauf geht weiter, und diese Adresse zeigt ihn wieder.",
    interrupted: "Der Dienst ist nicht erreichbar. Die Seite macht weiter, sobald er zurück ist.",
    failures: "Was fehlgeschlagen ist",
    failuresWith: count({ other: "{n} ×" }),
    retry: count({
      one: "Den fehlgeschlagenen erneut versuchen",
      other: "Die {n} fehlgeschlagenen erneut versuchen",
    }),
    cancel: "Lauf abbrechen",
    cancelHeading: "Diesen Lauf abbrechen?",
    cancelMeans: count({
      one: "{n} Nachweis, der noch in Arbeit ist, schlägt fehl. Verfügbare bleiben. Fehlgeschlagene können Sie später erneut versuchen.",
      other:
        "{n} Nachweise, die noch in Arbeit sind, schlagen fehl. Verfügbare bleiben. Fehlgeschlagene können Sie später erneut versuchen.",
    }),
    keepRunning: "Weiterlaufen lassen",
    credentials: "Nachweise dieses Laufs",
  },
  zip: {
    download: count({ one: "{n} PDF als ZIP speichern", other: "{n} PDFs als ZIP speichern" }),
    working: "{done} von {all} PDFs…",
    stop: "Anhalten",
    tooMany: count({
      one: "In ein ZIP passt hier höchstens {n} PDF.",
      other: "In ein ZIP passen hier höchstens {n} PDFs.",
    }),
    tooLarge: "Zusammen sind die PDFs zu groß für ein ZIP im Browser. Wählen Sie weniger.",
    missing: count({ one: "{n} war inzwischen weg.", other: "{n} waren inzwischen weg." }),
    saved: count({ one: "{n} PDF wurde gespeichert.", other: "{n} PDFs wurden gespeichert." }),
  },
  list: {
    means:
      "Fügen Sie Zeilen aus einer Tabelle ein oder wählen Sie eine Excel-Arbeitsmappe oder eine CSV-Datei. Jede Zeile wird beurteilt, bevor etwas geschieht, und abgelehnte Zeilen können Sie mitnehmen.",
    paste: "Zeilen hier einfügen",
    pasteHint: "benutzername\tname\nana.kovac\tAna Kovač",
    file: "Oder eine Arbeitsmappe oder CSV-Datei wählen",
    drop: "Sie können sie auch hier ablegen. Höchstens 5.000 Zeilen.",
    clear: "Eine andere Liste nehmen",
    faults: {
      workbook:
        "Diese Arbeitsmappe kann nicht gelesen werden: Sie ist keine .xlsx-Datei oder durch ein Kennwort geschützt. Speichern Sie sie in Excel oder LibreOffice als .xlsx oder „CSV UTF-8“ und wählen Sie diese Datei.",
      damagedWorkbook:
        "Diese Arbeitsmappe ist beschädigt. Öffnen Sie sie in Excel oder LibreOffice, speichern Sie sie neu und wählen Sie diese Datei.",
      tooManyCells:
        "Diese Arbeitsmappe ist zu groß: Ihr Blatt hat mehr Zellen, als hier Platz haben. Speichern Sie die Zeilen, die Sie brauchen, in einer eigenen Arbeitsmappe.",
      binary: "Diese Datei ist weder Text noch Arbeitsmappe. Wählen Sie eine .xlsx- oder CSV-Datei.",
      tooLarge:
        "Diese Datei hat mehr als 5 MB. Eine Liste hat höchstens 5.000 Zeilen: Wählen Sie eine andere Datei oder Teile dieser.",
      empty: "In dieser Liste steht nichts.",
      tooManyRows: count({
        one: "Diese Liste hat {n} Zeile; möglich sind höchstens 5.000. Teilen Sie sie.",
        other: "Diese Liste hat {n} Zeilen; möglich sind höchstens 5.000. Teilen Sie sie.",
      }),
      tooManyColumns: "Zeile {row} hat {count} Zellen; möglich sind höchstens 200. Stimmt das Trennzeichen?",
      openQuote:
        "In Zeile {row} endet ein Anführungszeichen nie oder vor dem Ende seiner Zelle. Berichtigen Sie es in der Datei.",
      tooLongCell: "In Zeile {row} hat eine Zelle {count} Zeichen; möglich sind höchstens 32.767.",
      unknownEncoding:
        "Diese Datei ist nicht in UTF-8, Namen könnten also falsch gelesen werden. Wählen Sie unten die Zeile, in der sie richtig sind.",
      wrongEncoding:
        "Diese Datei hat nicht die gewählte Kodierung. Wählen Sie unten die Zeile, in der die Namen richtig sind.",
      lostCharacters:
        "In dieser Datei fehlten Buchstaben schon, bevor Sie sie gewählt haben: An ihrer Stelle stehen � oder Steuerzeichen. Exportieren Sie sie neu als „CSV UTF-8“.",
      decodedTwice:
        "Diese Datei wurde als UTF-8 gespeichert, in einer anderen Kodierung geöffnet und wieder gespeichert, sodass aus José JosÃ© wurde. Exportieren Sie sie neu als „CSV UTF-8“.",
      noColumn: "Keine Spalte hat Benutzernamen. Sagen Sie unten, welche es ist.",
    },
    readAs: "Wie die Liste gelesen wurde",
    sheet: "Blatt",
    encoding: "Kodierung",
    writings: {
      western: "Westeuropäisch",
      central: "Mitteleuropäisch",
      baltic: "Baltisch",
      nordic: "Nordisch",
      celtic: "Keltisch",
      southern: "Südeuropäisch",
    },
    otherEncoding: "Andere Kodierung",
    chooseEncoding: "Wählen…",
    delimiter: "Zellen trennt ein",
    delimiters: { ",": "Komma", ";": "Semikolon", "\t": "Tabulator", "|": "Strich" },
    headingRow: "Zeile mit den Überschriften",
    noHeadings: "Keine",
    columns: "Was die Spalten sagen",
    column: "Spalte {n}",
    meanings: {
      username: "Benutzername",
      email: "E-Mail-Adresse",
      fullName: "Vollständiger Name",
      givenName: "Vorname",
      familyName: "Nachname",
      sortedName: "Name, Nachname zuerst",
      learnerId: "Matrikelnummer",
      grade: "Note (Prozent)",
      hours: "Stunden",
      awardDate: "Datum der Verleihung",
      attribute: "Anderer Text zum Drucken",
      ignored: "Nicht verwendet",
    },
    knownById: "Die Matrikelnummer ist auch der Benutzername",
    knownByIdMeans: "Wer hinzugefügt wird, ist fortan unter ihr bekannt.",
    attributeKey: "Name in der Gestaltung",
    attributeKeyMeans:
      "Eine Gestaltung druckt ihn, wo {learner.key} oder {enrollment.key} steht: Geben Sie dieses „key“ ein, in Kleinbuchstaben a bis z, Ziffern und „_“.",
    factsMean:
      "Der Nachweis sagt, was in diesen Spalten steht, statt dessen, was in den Datensätzen steht: Matrikelnummer, Note, Stunden, Datum der Verleihung und andere Texte. Eine Gestaltung druckt nur, wofür sie einen Platz hat.",
    unclearGrades: "In der Spalte der Noten ist nichts größer als 1. Was bedeutet {grade}?",
    unclearScale: "In der Spalte der Noten ist nichts größer als 30. Was ist {grade}?",
    otherScale: "Eine Note auf einer anderen Skala: so drucken, wie sie dasteht",
    unclearDay: "Welcher Tag ist {day}?",
    gradeMeans: "{grade} bedeutet {percent}",
    row: "Zeile",
    rows: count({ one: "{n} Zeile", other: "{n} Zeilen" }),
    skipCheck: "Ohne Prüfung der Anforderungen ausstellen",
    skipCheckMeans:
      "Auch an Lernende, die sie nicht erfüllen oder nicht eingeschrieben sind. Der Lauf und seine Ereignisse sagen es.",
    addLearners: "Lernende hinzufügen, die der Dienst nicht kennt",
    addLearnersMeans:
      "Mit Name und Adresse aus der Liste. Was die Plattform später über sie meldet, ersetzt das.",
    judging: "Jede Zeile wird beurteilt…",
    judged: "Was aus jeder Zeile wird",
    outcome: "Ergebnis",
    ready: "Bereit",
    readyNew: "Bereit, neu angelegt",
    rowFaults: {
      "no-learner": "Hat keinen Benutzernamen",
      "no-username": "Hat keinen Benutzernamen",
      "no-name": "Ist nicht bekannt und hat keinen Namen: mit einem Namen kommt er dazu",
      "malformed-email": "Das ist keine E-Mail-Adresse",
      "malformed-grade": "Die Note ist kein Prozentwert von 0 bis 100",
      "malformed-hours": "Die Stunden sind keine Zahl",
      "malformed-day":
        "Das Datum der Verleihung ist kein Tag oder kann zwei bedeuten: Schreiben Sie es wie 2026-06-30",
      "changed-id":
        "Die Nummer wurde von einer Tabellenkalkulation verändert, etwa zu 1,2E+11: Formatieren Sie die Spalte als Text und exportieren Sie die Liste neu",
      sum: "Keine Person, sondern eine Summe oder ein Durchschnitt",
      "error-value": "Eine verwendete Zelle zeigt einen Fehler wie #NV oder #N/A",
    },
    listedTwice: "Steht auch in Zeile {row}",
    show: "Zeilen nach Ergebnis zeigen",
    more: count({ other: "{n} weitere zeigen" }),
    rejects: count({ one: "Die abgelehnte Zeile speichern", other: "Die {n} abgelehnten Zeilen speichern" }),
    rejectsFile: "abgelehnte-zeilen",
    nobodyReady: "Keine Zeile ist bereit.",
  },
  without: {
    title: "Wer keinen hat, und warum",
    means: "Alle Eingeschriebenen ohne gültigen Nachweis, mit dem Grund.",
    waiting: "Hat ihn erworben: Der nächste Lauf stellt ihn aus",
    notMet: "Erfüllt die Anforderungen nicht",
    counted: "{none} von {enrolled} Eingeschriebenen haben keinen.",
    unread:
      "Beim letzten Abruf konnte nicht alles davon gelesen werden. Wer teilnimmt und was erreicht ist, kann älter sein:",
    withheld:
      "Eine Plattform teilt noch nicht alles mit. Niemand kann Anforderungen an diese Ergebnisse erfüllen:",
    empty: "Alle Eingeschriebenen haben diesen Nachweis",
  },
};
