import type { Wording } from "./en.js";

export const words: Wording = {
  document: {
    awardedTo: "wird verliehen an",
    for: "für",
    forCompleting: "für den erfolgreichen Abschluss von",
    forAttending: "für die Teilnahme an",
    dateOfIssue: "Ausstellungsdatum",
    dateOfAward: "Verleihungsdatum",
    validUntil: "Gültig bis",
    completion: "Abschlussgrad",
    signature: "Unterschrift",
    grade: "Gesamtergebnis",
    hours: "Stunden",
    credits: "Leistungspunkte",
    learnerId: "Teilnehmernummer",
    steps: "Kurse",
    verifyAt: "Überprüfen unter",
    identifier: "Kennung",
    contact: "Kontakt",
    imprint: "Impressum",
  },

  design: {
    classic: "Klassisch",
    classicMeans:
      "Zentrierte Antiqua im Doppelrahmen mit gekehlten Ecken und einem ruhigen Siegel. Für die meisten Zertifikate.",
    modern: "Modern",
    modernMeans:
      "Serifenlos und linksbündig, mit farbiger Kante und Ringen. Für Technik, Wirtschaft und Gestaltung.",
    minimal: "Minimal",
    minimalMeans: "Der Name auf viel Weiß, mit feinen Linien. Für alle, deren Name keinen Schmuck braucht.",
    diploma: "Diplom",
    diplomaMeans:
      "Ein gestochener Rahmen und ein Siegel zwischen zwei Unterschriften. Für akademische Grade und Diplome.",
    portrait: "Hochformat",
    portraitMeans:
      "Hochkant, mit Platz für ein Wappen, einer Rosette und einem gestochenen Siegel. Für Mappen und Wände.",
    bilingual: "Zweisprachig",
    bilingualMeans:
      "Titel, Wendungen und Datum in zwei Sprachen. Für gemeinsame Studiengänge und den Gebrauch im Ausland.",
    "micro-credential": "Micro-Credential",
    "micro-credentialMeans":
      "Ein farbiges Feld mit Abzeichen, und die Ergebnisse als Tabelle. Für kurze Kurse mit Leistungspunkten.",
    attendance: "Teilnahme",
    attendanceMeans:
      "Hochkant und schlicht: wer woran teilgenommen hat, und wie lange. Für Workshops und Schulungen.",
    engraved: "Gestochen",
    engravedMeans:
      "Die eingebaute Gestaltung: Rahmen aus Guillochen, Rosetten und ein Siegel. Akzentfarbe, Logo und eine Unterschrift sind wählbar.",
  },

  mail: {
    greeting: "Guten Tag {name},",
    subject: "{platformName}: Ihr Nachweis für {learningContextName} ist verfügbar",
    heading: "Ihr Nachweis ist verfügbar",
    introduction: "Herzlichen Glückwunsch! {platformName} hat Ihnen einen Nachweis ausgestellt.",
    credentialType: "Nachweis: {credentialType}",
    learningContext: "Kurs oder Lernpfad: {learningContextName}",
    download: "Nachweis herunterladen",
    privacy: "Der Link zum Herunterladen ist persönlich: Wer ihn hat, kann Ihren Nachweis herunterladen.",
    expirySubject: "{platformName}: Ihr Nachweis für {learningContextName} läuft bald ab",
    expiryHeading: "Ihr Nachweis läuft bald ab",
    expiryIntroduction: "Ihr Nachweis von {platformName} ist gültig bis {lastDay}.",
    expiryLink: "Nachweis ansehen",
    verificationPage: "Ansehen und teilen",
    walletPage: "In einer Wallet-App aufbewahren",
    replacementSubject: "{platformName}: Ihr Nachweis für {learningContextName} wurde ersetzt",
    replacementHeading: "Ihr Nachweis wurde ersetzt",
    replacementIntroduction:
      "{platformName} hat Ihnen einen neuen Nachweis ausgestellt. Er ersetzt den bisherigen, der nicht mehr gültig ist: Bitte verwenden Sie nur noch den neuen.",
    withdrawalSubject: "{platformName}: Ihr Nachweis für {learningContextName} wurde zurückgezogen",
    withdrawalHeading: "Ihr Nachweis wurde zurückgezogen",
    withdrawalIntroduction:
      "{platformName} hat einen Nachweis zurückgezogen, der Ihnen ausgestellt worden war. Er ist nicht mehr gültig.",
    withdrawalReason: "Grund: {reason}",
    withdrawalContact: "Wenn Sie das für einen Irrtum halten, wenden Sie sich an {platformName}.",
    contact: "Kontakt",
    imprint: "Impressum",
  },

  page: {
    contact: "Kontakt",
    imprint: "Impressum",
    languages: "Sprache",

    verification: "Prüfung eines Nachweises",
    genuine: "Dieser Nachweis ist echt",
    genuineMeans: "{platformName} hat ihn ausgestellt, und er ist gültig.",
    nameUnconfirmed: "Der Name lässt sich nicht mehr bestätigen",
    nameUnconfirmedMeans:
      "{platformName} hat diesen Nachweis ausgestellt, und er ist gültig. Der Name wurde auf Wunsch der betroffenen Person entfernt. Auf einer Kopie, die hierher führt, kann deshalb jeder Name stehen: Verlassen Sie sich nicht allein auf den Namen im Dokument.",
    invalidated: "Dieser Nachweis wurde für ungültig erklärt",
    invalidatedMeans:
      "{platformName} hat ihn ausgestellt und seither zurückgezogen. Er ist nicht mehr gültig.",
    wasReplaced: "Dieser Nachweis wurde ersetzt",
    wasReplacedMeans:
      "{platformName} hat an seiner Stelle einen neuen ausgestellt, meist um eine Angabe zu berichtigen. Verlassen Sie sich auf den neuen: Dieser ist nicht mehr gültig.",
    elsewhere: "Dieser Nachweis wurde anderswo ausgestellt",
    elsewhereMeans: "{platformName} hat ihn am {date} übernommen, und er ist gültig.",
    elsewhereUnconfirmedMeans:
      "Dieser Nachweis wurde anderswo ausgestellt. {platformName} hat ihn am {date} übernommen, und er ist gültig. Der Name wurde auf Wunsch der betroffenen Person entfernt. Auf einer Kopie, die hierher führt, kann deshalb jeder Name stehen: Verlassen Sie sich nicht allein auf den Namen im Dokument.",
    elsewhereInvalidatedMeans:
      "Er wurde anderswo ausgestellt, und {platformName} hat ihn am {date} übernommen. Er ist nicht mehr gültig.",
    expired: "Dieser Nachweis ist abgelaufen",
    expiredMeans: "{platformName} hat ihn ausgestellt, und er war gültig bis {lastDay}.",
    elsewhereExpiredMeans:
      "Er wurde anderswo ausgestellt, und {platformName} hat ihn am {date} übernommen. Er war gültig bis {lastDay}.",
    notFound: "Nachweis nicht gefunden",
    notFoundMeans:
      "{platformName} kennt keinen Nachweis mit dieser Kennung. Vergleichen Sie sie Zeichen für Zeichen mit dem Dokument. Stimmt sie überein, vertrauen Sie dem Dokument nicht.",

    holder: "Ausgestellt für",
    nameRemoved: "Name auf Wunsch der betroffenen Person entfernt",
    course: "Kurs",
    learningPath: "Lernpfad",
    credentialType: "Nachweis",
    issuer: "Ausgestellt von",
    issuerNotNamed: "Eine andere Einrichtung, die nicht genannt ist",
    sealedBy: "PDF gesiegelt von",
    logProof: "Beweis für später",
    logProofMeans:
      "Im öffentlichen Protokoll des Ausstellers steht genau diese Datei spätestens seit {date}. Bewahren Sie den Beweis mit der Datei auf: Jeder kann beides ohne diese Seite prüfen, auch wenn es sie nicht mehr gibt.",
    downloadLogProof: "Beweis herunterladen",
    noLogProof:
      "Es gibt keinen Beweis für diesen Nachweis: Er ist zu neu, nicht mehr gültig oder nicht im Protokoll.",
    anyProofAlone: "Wählen Sie nun auch das PDF",
    anyProofAloneMeans: "Das ist ein Beweis. Er braucht das PDF, zu dem er gehört.",
    anyLogged: "Der Beweis stimmt",
    anyLoggedMeans:
      "Genau dieses PDF steht im öffentlichen Protokoll {origin}. Ob der Nachweis noch gültig ist, sagt der Beweis nicht.",
    anyNotLogged: "Der Beweis stimmt nicht",
    anyNotLoggedMeans:
      "Er gehört zu einer anderen Datei, wurde verändert oder stammt aus dem Protokoll eines anderen Ausstellers.",
    takenOver: "Übernommen von",
    issued: "Ausstellungsdatum",
    status: "Status",
    statusAvailable: "Gültig",
    statusInvalidated: "Ungültig",
    statusExpired: "Abgelaufen",
    statusReplaced: "Ersetzt",
    validUntil: "Gültig bis",
    renewed: "Erneuert",
    seeRenewal: "Zum Nachweis, der ihn erneuert",
    withdrawn: "Zurückgezogen am",
    replaced: "Ersetzt durch",
    seeReplacement: "Zum Nachweis, der ihn ersetzt",
    reason: "Grund",
    identifier: "Kennung",
    checked: "Geprüft",
    skills: "Kompetenzen",
    credits: "Leistungspunkte",
    notConfirmedHere: "Von dieser Seite nicht bestätigt",
    otherDetails: "Weitere Angaben im Dokument",
    fieldOfStudy: "Fachgebiet",
    definedBy: "Festgelegt von",

    fileCheck: "Ist diese Datei das Original?",
    fileCheckMeans:
      "Haben Sie ein PDF erhalten? Vergleichen Sie es mit dem ausgestellten. Das macht Ihr Browser: Die Datei bleibt auf Ihrem Gerät.",
    chooseFile: "PDF auswählen",
    dropFile: "oder hier ablegen",
    fileChecking: "Wird verglichen …",
    fileIdentical: "Das ist das Original",
    fileIdenticalMeans: "Die Datei stimmt mit der ausgestellten überein.",
    fileIdenticalInvalidated:
      "Die Datei stimmt mit der ausgestellten überein, aber der Nachweis wurde für ungültig erklärt.",
    fileIdenticalExpired: "Die Datei stimmt mit der ausgestellten überein, aber der Nachweis ist abgelaufen.",
    fileTakenOver: "Das ist die übernommene Datei",
    fileTakenOverMeans:
      "Die Datei stimmt mit der überein, die {platformName} am {date} übernommen hat. Ausgestellt wurde sie anderswo.",
    fileTakenOverInvalidated:
      "Die Datei stimmt mit der überein, die {platformName} am {date} übernommen hat, aber der Nachweis wurde für ungültig erklärt.",
    fileTakenOverExpired:
      "Die Datei stimmt mit der überein, die {platformName} am {date} übernommen hat, aber der Nachweis ist abgelaufen.",
    fileDifferent: "Das ist nicht die ausgestellte Datei",
    fileDifferentMeans:
      "Sie wurde verändert, neu gespeichert oder gehört zu einem anderen Nachweis. Verlassen Sie sich auf diese Seite, nicht auf die Datei.",
    fileUnreadable: "Die Datei lässt sich nicht lesen. Wählen Sie sie noch einmal aus.",
    byHand: "Von Hand vergleichen",
    byHandChecksum: "Die SHA-256-Prüfsumme der ausgestellten Datei lautet:",
    byHandCommands: "Diese Befehle zeigen die Prüfsumme Ihrer Datei:",

    anyFile: "Eine Datei prüfen",
    anyFileMeans:
      "Wählen Sie ein PDF, ein Abzeichen als PNG, SVG, JSON oder JWT oder eine Nachweisübersicht. Ihr Browser prüft es: Die Datei bleibt auf Ihrem Gerät, nur die Prüfsumme eines PDFs wird gesendet.",
    anyFileUnscripted:
      "Dieser Browser kann hier keine Dateien prüfen: Dazu braucht er JavaScript und eine Seite, die über HTTPS kam. Geben Sie stattdessen die Nachweis-ID ein.",
    chooseAnyFile: "Datei wählen",
    anyFileChecking: "Wird geprüft …",
    anyGenuine: "Diese Datei ist echt",
    anyGenuineMeans: "Sie wurde hier ausgestellt, ist unverändert und gültig.",
    anyWithdrawn: "Dieser Nachweis ist nicht mehr gültig",
    anyWithdrawnMeans:
      "Die Datei wurde hier ausgestellt und ist unverändert, aber der Nachweis wurde zurückgezogen oder ist abgelaufen.",
    anyEarly: "Dieser Nachweis ist noch nicht gültig",
    anyEarlyMeans:
      "Der Nachweis wurde hier ausgestellt und ist unverändert, ist aber noch nicht gültig oder nennt keinen Beginn.",
    anyBadgeGenuine: "Das Abzeichen in dieser Datei ist echt",
    anyBadgeGenuineMeans: "Das Abzeichen wurde hier ausgestellt, ist unverändert und gültig.",
    anyBadgeWithdrawnMeans:
      "Das Abzeichen wurde hier ausgestellt und ist unverändert, aber der Nachweis wurde zurückgezogen oder ist abgelaufen.",
    anyBadgeOnly:
      "Für das, was das Abzeichen umgibt, bürgt niemand: Jeder kann ein echtes Abzeichen in ein eigenes Bild, eine Seite oder eine Datei einfügen. Vergleichen Sie den Namen dort mit dem Namen hier.",
    anyRecordGenuine: "Diese Nachweisübersicht ist echt",
    anyRecordGenuineMeans:
      "Sie wurde hier zusammengestellt, ist unverändert, und jeder Nachweis darin ist gültig.",
    anyRecordPartly: "Nicht alles in dieser Übersicht ist gültig",
    anyRecordPartlyMeans:
      "Sie wurde hier zusammengestellt und ist unverändert. Unten steht, was seither zurückgezogen wurde, abgelaufen ist oder sich nicht bestätigen lässt.",
    anyRecordExpired: "Diese Nachweisübersicht ist veraltet",
    anyRecordExpiredMeans:
      "Sie wurde hier zusammengestellt und ist unverändert, aber ihre Frist ist vorbei. Bitten Sie um eine neue.",
    anyRecordPage:
      "Für die Seite selbst bürgt niemand: Jeder kann eine echte Übersicht in eine eigene einfügen. Vergleichen Sie sie mit der Liste hier.",
    notConfirmed: "Nicht bestätigt",
    anyAltered: "Diese Datei wurde verändert",
    anyAlteredMeans:
      "Sie gibt vor, von hier zu stammen, ist aber nicht das, was ausgestellt wurde. Verlassen Sie sich nicht auf das, was sie zeigt.",
    anyForeign: "Diese Datei nennt einen anderen Aussteller",
    anyForeignMeans:
      "Diese Seite kennt nur die Signaturen dieses Dienstes und kann deshalb nicht sagen, ob die Datei echt ist. Fragen Sie den genannten Aussteller.",
    anyUnknown: "Diese Datei ist hier nicht bekannt",
    anyUnknownMeans:
      "Sie ist kein Nachweis von hier, oder sie wurde gedruckt oder neu gespeichert. Geben Sie die ID ein, die darauf steht.",
    anyUnchecked: "Diese Datei lässt sich gerade nicht prüfen",
    anyUncheckedMeans:
      "Der Dienst ist nicht erreichbar, oder dieser Browser ist zu alt. Versuchen Sie es noch einmal, oder geben Sie die ID ein.",

    forHolder: "Ist das Ihr Nachweis?",
    addToLinkedIn: "Zum LinkedIn-Profil hinzufügen",
    wallet: "Wallet",
    walletMeans:
      "Scannen Sie den Code mit einer Wallet-App wie Learner Credential Wallet, oder öffnen Sie diese Seite auf dem Telefon, auf dem sie ist.",
    openLearnerWallet: "In Learner Credential Wallet öffnen",
    openOtherWallet: "In einer anderen Wallet öffnen",
    walletInvalidated:
      "Dieser Nachweis wurde für ungültig erklärt: Wallet-Apps können ihn nicht mehr übernehmen.",
    walletErased:
      "Die Daten dieser Person wurden hier gelöscht: Es gibt keinen Namen mehr, den eine Wallet-App übernehmen könnte.",
    walletElsewhere:
      "Ein anderes System hat diesen Nachweis ausgestellt: Wallet-Apps können ihn nicht von hier übernehmen. Dokument und Seite bleiben.",
    walletNone: "Nachweise dieser Art sind nicht für Wallet-Apps gemacht. Dokument und Seite bleiben.",
    walletNoHttps:
      "Dieser Dienst hat keine HTTPS-Adresse, die Wallet-Apps und JWTs brauchen. Das PDF und das Abzeichen als JSON, PNG oder SVG lassen sich herunterladen.",
    walletPrivacy:
      "Wer die Adresse dieser Seite hat, kann den Nachweis entnehmen. Geben Sie sie nur an eigene Geräte weiter.",
    link: "Link zu dieser Seite",
    copyLink: "Kopieren",
    linkCopied: "Kopiert",

    verifyAnother: "Einen anderen Nachweis prüfen",
    trustAddress: "Vertrauen Sie dieser Seite nur unter {address}",
    form: "Einen Nachweis prüfen",
    formMeans: "Geben Sie die Kennung oder die Adresse ein, die auf dem Dokument steht.",
    formExample: "Zum Beispiel {address}",
    verify: "Prüfen",
    unreadableIdentifier:
      "Das ist keine Kennung. Sie hat 32 Stellen aus den Ziffern 0 bis 9 und den Buchstaben a bis f, oder sie ist eine Adresse, die so beginnt: {address}",

    download: "Herunterladen",
    linkLeadsNowhere:
      "Dieser Link führt nirgendwohin. Prüfen Sie, ob es der ganze Link aus Ihrer E-Mail ist.",
    downloadInvalidated:
      "Dieser Nachweis wurde für ungültig erklärt: Er kann nicht mehr heruntergeladen werden.",
    downloadUnavailable: "Dieser Nachweis ist nicht verfügbar: Er kann jetzt nicht heruntergeladen werden.",
    downloadNotFound: "Diesen Nachweis gibt es nicht, oder er ist nicht Ihrer.",
    downloadRefused:
      "Melden Sie sich zuerst bei Ihrer Lernplattform an und folgen Sie dem Link dann noch einmal.",

    myCredentials: "Ihre Nachweise",
    myCredentialsMean:
      "Nachweise, die Ihnen ausgestellt wurden, die neuesten zuerst. Die Dokumente gehören Ihnen. Teilen Sie die Seite eines Nachweises mit allen, die ihn prüfen möchten.",
    noCredentials: "Ihnen wurde noch kein Nachweis ausgestellt.",
    moreCredentials: "Weitere Nachweise",
    downloadFile: "PDF herunterladen",
    seeForOthers: "Seite ansehen und teilen",
    toWallet: "In einer Wallet-App aufbewahren",
    wholeRecord: "Alles als eine Datei herunterladen",
    wholeRecordMeans:
      "Eine signierte Datei mit den Abzeichen aller Nachweise, die hier gültig sind, für Programme von Arbeitgebern und Hochschulen. Sie gilt 90 Tage.",
    noRecord:
      "Keiner Ihrer Nachweise hat ein Abzeichen, das jetzt gültig ist; es gibt also nichts für eine Datei.",
    recordAsPdf: "Als PDF herunterladen",
    recordAsPdfMeans: "Das PDF führt sie für Menschen auf und enthält dieselbe Datei.",
    learnerRecord: "Nachweisübersicht",
    learnerRecordMeans:
      "Jeder dieser Nachweise war am {date} gültig. Ob er es noch ist, sagt seine Seite. Die angehängte Datei record.json sagt dasselbe für Programme: {platformName} hat sie signiert, und sie gilt bis {lastDay}.",
    learnerRecordPartial: "Es gibt weitere Nachweise, die hier nicht aufgeführt sind.",
    pageOf: "Seite {page} von {pages}",
    statusGenerating: "Wird erstellt",

    signIn: "Anmeldung an der Konsole",
    notSignedIn: "Sie sind nicht angemeldet",
    signInNotBegun:
      "In diesem Browser wurde keine Anmeldung begonnen, oder es ist zu lange her. Öffnen Sie die Konsole und melden Sie sich noch einmal an.",
    signInCancelled: "Die Anmeldung wurde abgebrochen oder vom Identitätsanbieter abgelehnt.",
    signInNotProven:
      "Die Antwort des Identitätsanbieters gehört nicht zu dieser Anmeldung oder ist abgelaufen. Beginnen Sie von vorn.",
    providerOutOfReach: "Der Identitätsanbieter ist nicht erreichbar. Versuchen Sie es später noch einmal.",
    notStaff:
      "Sie sind als {username} bekannt und gehören hier nicht zum Personal. Der Identitätsanbieter muss es in einem dieser Claims sagen: {claims}",
    notAPerson: "Sie sind als {username} bekannt, und das ist ein Dienst. Die Konsole ist für Menschen.",
    signInRefused:
      "Die Antwort des Identitätsanbieters wird hier nicht angenommen. Fragen Sie jene, die diesen Dienst betreiben.",
    backToConsole: "Zurück zur Konsole",

    ltiCourse: "Ihre Nachweise in diesem Kurs",
    ltiNothing: "In diesem Kurs kann noch kein Nachweis erworben werden.",
    ltiEarned: "Sie haben alle Anforderungen erfüllt.",
    ltiNotEarned: "Noch nicht erworben",
    ltiPart: "Teil",
    ltiYours: "Erreicht",
    ltiNeeded: "Nötig",
    ltiTotal: "Gesamt",
    ltiCompleted: "Abgeschlossen",
    ltiPassed: "Auf der Plattform bestanden",
    ltiYes: "Ja",
    ltiNotYet: "Noch nicht",
    ltiLetter: "Note",
    ltiOrBetter: "{letter} oder besser",
    ltiRefresh: "Aktualisieren",
    ltiNotOpened: "Diese Seite kann nicht geöffnet werden",
    ltiForAdministrators: "Teilen Sie dies denen mit, die Ihre Lernplattform betreiben:",
    ltiSignIn: "Melden Sie sich bei Ihrer Lernplattform an, und öffnen Sie diese Seite dann erneut.",
    ltiPending:
      "Ihre Lernplattform möchte {platformName} hier anzeigen. Wer {platformName} betreibt, muss dem erst zustimmen.",
    ltiNoCourse: "{platformName} kennt diesen Kurs noch nicht. Fragen Sie die Betreiber.",
    ltiUnknownPerson:
      "{platformName} kennt Sie in diesem Kurs noch nicht. Kommen Sie morgen wieder, oder fragen Sie die Betreiber.",
    ltiErased: "Ihre Daten wurden hier auf Ihren Wunsch gelöscht, daher kann nichts angezeigt werden.",
    ltiNoRole:
      "Diese Seite zeigt Lernenden ihre Nachweise. Für Ihre Rolle in diesem Kurs gibt es hier nichts.",
    ltiTeacher: "Nachweise dieses Kurses",
    ltiTeacherMeans:
      "Sehen Sie, wer welchen Nachweis erworben hat. Die Konsole öffnet sich in einem eigenen Tab; der Link gilt einmal, zehn Minuten lang.",
    ltiOpenConsole: "Konsole öffnen",
    ltiPlace: "In den Kurs aufnehmen",
    ltiExpired: "Diese Seite wurde vor zu langer Zeit geöffnet. Öffnen Sie sie in Ihrem Kurs erneut.",
    ltiNewTab: "Diese Seite in einem neuen Tab öffnen",
    ltiNewTabMeans:
      "Ihr Browser merkt sich nichts für Seiten innerhalb anderer Seiten. Deshalb lässt sich hier nicht feststellen, dass Sie es sind.",
    ltiNewTabByHand:
      "Ihr Browser merkt sich nichts für Seiten innerhalb anderer Seiten. Erlauben Sie Cookies für {address}, oder nehmen Sie einen anderen Browser.",
    ltiMoment: "Einen Moment…",
    ltiContinue: "Weiter",
    ltiRegister: "{platformName} bei Ihrer Lernplattform registrieren",
    ltiRegisterMeans:
      "Ihre Plattform unter {address} kann dann {platformName} in Kursen anzeigen. Sie teilt Namen, Adressen und Rollen derer mit, die es öffnen, und die Mitglieder dieser Kurse, wenn Sie das erlauben.",
    ltiRegisterNow: "Registrieren",
    ltiRegistered: "Registriert",
    ltiRegisteredMeans:
      "Wer {platformName} betreibt, muss Ihre Plattform nun annehmen. Sie können dieses Fenster schließen.",
    ltiInvitation:
      "Dieser Link wurde schon benutzt, ist abgelaufen oder hat nie bestanden. Bitten Sie um einen neuen.",

    onlyGet: "Hier sind nur GET und HEAD erlaubt.",
    outOfReach: "Das lässt sich im Augenblick nicht beantworten. Versuchen Sie es später noch einmal.",
    fault: "Hier ist etwas schiefgegangen. Versuchen Sie es später noch einmal.",
  },
};
