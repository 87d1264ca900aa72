import type { Wording } from "./en.js";

export const words: Wording = {
  document: {
    awardedTo: "si conferisce a",
    for: "per",
    forCompleting: "per il completamento di",
    forAttending: "per la partecipazione a",
    dateOfIssue: "Data di rilascio",
    dateOfAward: "Data di conferimento",
    validUntil: "Valido fino al",
    completion: "Completamento",
    signature: "Firma",
    grade: "Voto",
    hours: "Ore",
    credits: "Crediti",
    learnerId: "Matricola",
    steps: "Corsi",
    verifyAt: "Verifica su",
    identifier: "Identificativo",
    contact: "Contatti",
    imprint: "Note legali",
  },

  design: {
    classic: "Classico",
    classicMeans:
      "Carattere romano centrato in una doppia cornice dagli angoli smussati, con un sigillo discreto. Per la maggior parte dei certificati.",
    modern: "Moderno",
    modernMeans:
      "Carattere senza grazie allineato a sinistra, con bordo colorato e anelli. Per scuole di tecnologia, economia e design.",
    minimal: "Minimale",
    minimalMeans: "Il nome su molto bianco, con linee sottili. Per chi non ha bisogno di ornamenti.",
    diploma: "Diploma",
    diplomaMeans: "Una cornice incisa e un sigillo tra due firme. Per lauree e diplomi.",
    portrait: "Verticale",
    portraitMeans:
      "In verticale, con spazio per uno stemma, una rosetta e un sigillo inciso. Per cartelle e pareti.",
    bilingual: "Bilingue",
    bilingualMeans: "Titolo, formule e data in due lingue. Per programmi congiunti e uso internazionale.",
    "micro-credential": "Microcredenziale",
    "micro-credentialMeans":
      "Un pannello colorato con un distintivo e i risultati in una tabella. Per corsi brevi con crediti.",
    attendance: "Partecipazione",
    attendanceMeans:
      "Verticale e semplice: chi ha partecipato a cosa, e per quanto tempo. Per laboratori e formazione.",
    engraved: "Inciso",
    engravedMeans:
      "Il modello incorporato: cornice a guilloche, rosette e sigillo. Si scelgono colore, logo e una firma.",
  },

  mail: {
    greeting: "Buongiorno {name},",
    subject: "{platformName}: il Suo attestato per {learningContextName} è disponibile",
    heading: "Il Suo attestato è disponibile",
    introduction: "Congratulazioni! {platformName} Le ha rilasciato un attestato.",
    credentialType: "Attestato: {credentialType}",
    learningContext: "Corso o percorso formativo: {learningContextName}",
    download: "Scarica l’attestato",
    privacy: "Il link per scaricarlo è personale: chiunque lo abbia può scaricare il Suo attestato.",
    expirySubject: "{platformName}: il Suo attestato per {learningContextName} scade presto",
    expiryHeading: "Il Suo attestato scade presto",
    expiryIntroduction: "Il Suo attestato di {platformName} è valido fino al {lastDay}.",
    expiryLink: "Vedi l’attestato",
    verificationPage: "Vedi e condividi",
    walletPage: "Conservalo in un’app wallet",
    replacementSubject: "{platformName}: il Suo attestato per {learningContextName} è stato sostituito",
    replacementHeading: "Il Suo attestato è stato sostituito",
    replacementIntroduction:
      "{platformName} Le ha rilasciato un nuovo attestato. Sostituisce quello precedente, che non è più valido: usi solo quello nuovo.",
    withdrawalSubject: "{platformName}: il Suo attestato per {learningContextName} è stato ritirato",
    withdrawalHeading: "Il Suo attestato è stato ritirato",
    withdrawalIntroduction:
      "{platformName} ha ritirato un attestato che Le era stato rilasciato. Non è più valido.",
    withdrawalReason: "Motivo: {reason}",
    withdrawalContact: "Se ritiene che si tratti di un errore, si rivolga a {platformName}.",
    contact: "Contatti",
    imprint: "Note legali",
  },

  page: {
    contact: "Contatti",
    imprint: "Note legali",
    languages: "Lingua",

    verification: "Verifica di un attestato",
    genuine: "Questo attestato è autentico",
    genuineMeans: "{platformName} lo ha rilasciato, ed è valido.",
    nameUnconfirmed: "Il nome non può più essere confermato",
    nameUnconfirmedMeans:
      "{platformName} ha rilasciato questo attestato, ed è valido. Il nome è stato rimosso su richiesta del titolare, quindi una copia che porta qui può riportare qualsiasi nome. Non si affidi soltanto al nome scritto su un documento.",
    invalidated: "Questo attestato è stato invalidato",
    invalidatedMeans: "{platformName} lo ha rilasciato e in seguito ritirato. Non è più valido.",
    wasReplaced: "Questo attestato è stato sostituito",
    wasReplacedMeans:
      "{platformName} ne ha rilasciato uno nuovo al suo posto, di solito per correggere un dato. Faccia affidamento su quello nuovo: questo non è più valido.",
    elsewhere: "Questo attestato è stato rilasciato altrove",
    elsewhereMeans: "{platformName} lo ha acquisito in data {date}, ed è valido.",
    elsewhereUnconfirmedMeans:
      "Questo attestato è stato rilasciato altrove. {platformName} lo ha acquisito in data {date}, ed è valido. Il nome è stato rimosso su richiesta del titolare, quindi una copia che porta qui può riportare qualsiasi nome. Non si affidi soltanto al nome scritto su un documento.",
    elsewhereInvalidatedMeans:
      "È stato rilasciato altrove, e {platformName} lo ha acquisito in data {date}. Non è più valido.",
    expired: "Questo attestato è scaduto",
    expiredMeans: "{platformName} lo ha rilasciato, ed è stato valido fino al {lastDay}.",
    elsewhereExpiredMeans:
      "È stato rilasciato altrove, e {platformName} lo ha acquisito in data {date}. È stato valido fino al {lastDay}.",
    notFound: "Attestato non trovato",
    notFoundMeans:
      "{platformName} non conosce alcun attestato con questo identificativo. Lo confronti con il documento, carattere per carattere. Se è lo stesso, non si fidi del documento.",

    holder: "Titolare",
    nameRemoved: "Nome rimosso su richiesta del titolare",
    course: "Corso",
    learningPath: "Percorso formativo",
    credentialType: "Attestato",
    issuer: "Rilasciato da",
    issuerNotNamed: "Un altro ente, che non è indicato",
    sealedBy: "PDF sigillato da",
    logProof: "Prova per il futuro",
    logProofMeans:
      "Il registro pubblico dell’emittente contiene esattamente questo file al più tardi dal {date}. Conservi la prova insieme al file: chiunque può verificare entrambi senza questa pagina, anche se non esistesse più.",
    downloadLogProof: "Scarica la prova",
    noLogProof:
      "Non c’è una prova di questo attestato: è troppo recente, non è più in vigore o non è nel registro.",
    anyProofAlone: "Ora scelga anche il PDF",
    anyProofAloneMeans: "Questa è una prova. Serve il PDF a cui appartiene.",
    anyLogged: "La prova è corretta",
    anyLoggedMeans:
      "Esattamente questo PDF è nel registro pubblico {origin}. La prova non dice se l’attestato è ancora in vigore.",
    anyNotLogged: "La prova non è corretta",
    anyNotLoggedMeans:
      "Appartiene a un altro file, è stata modificata o è del registro di un altro emittente.",
    takenOver: "Acquisito da",
    issued: "Data di rilascio",
    status: "Stato",
    statusAvailable: "Valido",
    statusInvalidated: "Invalidato",
    statusExpired: "Scaduto",
    statusReplaced: "Sostituito",
    validUntil: "Valido fino al",
    renewed: "Rinnovato",
    seeRenewal: "Vedi l’attestato che lo rinnova",
    withdrawn: "Ritirato il",
    replaced: "Sostituito da",
    seeReplacement: "Vedi l’attestato che lo sostituisce",
    reason: "Motivo",
    identifier: "Identificativo",
    checked: "Verificato",
    skills: "Competenze",
    credits: "Crediti",
    notConfirmedHere: "Non confermato da questa pagina",
    otherDetails: "Altri dati nel documento",
    fieldOfStudy: "Ambito di studio",
    definedBy: "Definito da",

    fileCheck: "Questo file è l’originale?",
    fileCheckMeans:
      "Se ha ricevuto un PDF, lo confronti con quello che è stato rilasciato. Lo fa il Suo browser: il file resta sul Suo dispositivo.",
    chooseFile: "Scegli il PDF",
    dropFile: "o lo trascini qui",
    fileChecking: "Confronto in corso…",
    fileIdentical: "È l’originale",
    fileIdenticalMeans: "Il file è identico a quello che è stato rilasciato.",
    fileIdenticalInvalidated:
      "Il file è identico a quello che è stato rilasciato, ma l’attestato è stato invalidato.",
    fileIdenticalExpired: "Il file è identico a quello che è stato rilasciato, ma l’attestato è scaduto.",
    fileTakenOver: "È il file che è stato acquisito",
    fileTakenOverMeans:
      "Il file è identico a quello che {platformName} ha acquisito in data {date}. È stato rilasciato altrove.",
    fileTakenOverInvalidated:
      "Il file è identico a quello che {platformName} ha acquisito in data {date}, ma l’attestato è stato invalidato.",
    fileTakenOverExpired:
      "Il file è identico a quello che {platformName} ha acquisito in data {date}, ma l’attestato è scaduto.",
    fileDifferent: "Non è il file che è stato rilasciato",
    fileDifferentMeans:
      "È stato modificato, salvato di nuovo o appartiene a un altro attestato. Si affidi a questa pagina, non al file.",
    fileUnreadable: "Il file non può essere letto. Lo scelga di nuovo.",
    byHand: "Confronto manuale",
    byHandChecksum: "L’impronta SHA-256 del file che è stato rilasciato è:",
    byHandCommands: "Questi comandi mostrano l’impronta del Suo file:",

    anyFile: "Controlla un file",
    anyFileMeans:
      "Scelga un PDF, un badge in PNG, SVG, JSON o JWT, o un riepilogo di attestati. Lo controlla il Suo browser: il file resta sul Suo dispositivo, e si invia soltanto l’impronta di un PDF.",
    anyFileUnscripted:
      "Questo browser non può controllare file qui: servono JavaScript e una pagina ricevuta via HTTPS. Inserisca invece l’identificativo.",
    chooseAnyFile: "Scegli un file",
    anyFileChecking: "Controllo in corso…",
    anyGenuine: "Questo file è autentico",
    anyGenuineMeans: "È stato rilasciato qui, non è stato modificato ed è valido.",
    anyWithdrawn: "Questo attestato non è più valido",
    anyWithdrawnMeans:
      "Il file è stato rilasciato qui e non è stato modificato, ma l’attestato è stato ritirato o è scaduto.",
    anyEarly: "Questo attestato non è ancora valido",
    anyEarlyMeans:
      "L’attestato è stato rilasciato qui e non è stato modificato, ma non è ancora valido o non indica da quando lo è.",
    anyBadgeGenuine: "Il badge in questo file è autentico",
    anyBadgeGenuineMeans: "Il badge è stato rilasciato qui, non è stato modificato ed è valido.",
    anyBadgeWithdrawnMeans:
      "Il badge è stato rilasciato qui e non è stato modificato, ma l’attestato è stato ritirato o è scaduto.",
    anyBadgeOnly:
      "Nessuno garantisce per ciò che circonda il badge: chiunque può inserire un badge autentico in un’immagine, una pagina o un file propri. Confronti il nome che vi compare con quello indicato qui.",
    anyRecordGenuine: "Questo riepilogo è autentico",
    anyRecordGenuineMeans:
      "È stato composto qui, non è stato modificato e ogni attestato che contiene è valido.",
    anyRecordPartly: "Non tutto in questo riepilogo è valido",
    anyRecordPartlyMeans:
      "È stato composto qui e non è stato modificato. Sotto è indicato ciò che da allora è stato ritirato, è scaduto o non si può confermare.",
    anyRecordExpired: "Questo riepilogo non è più aggiornato",
    anyRecordExpiredMeans:
      "È stato composto qui e non è stato modificato, ma il suo termine è passato. Ne chieda uno nuovo al titolare.",
    anyRecordPage:
      "Nessuno garantisce per la pagina in sé: chiunque può inserire un riepilogo autentico in una propria. La confronti con quanto è elencato qui.",
    notConfirmed: "Non confermato",
    anyAltered: "Questo file è stato alterato",
    anyAlteredMeans:
      "Dice di provenire da qui, ma non è ciò che è stato rilasciato. Non si fidi di ciò che mostra.",
    anyForeign: "Questo file indica un altro emittente",
    anyForeignMeans:
      "Questa pagina conosce solo le firme di questo servizio, quindi non può dire se il file è autentico. Si rivolga all’emittente indicato.",
    anyUnknown: "Questo file non è noto qui",
    anyUnknownMeans:
      "Non è un attestato di qui, oppure è stato stampato o salvato di nuovo. Inserisca l’identificativo che vi è stampato.",
    anyUnchecked: "Questo file non può essere controllato ora",
    anyUncheckedMeans:
      "Il servizio non è raggiungibile, o questo browser è troppo vecchio. Riprovi, o inserisca l’identificativo.",

    forHolder: "È il Suo attestato?",
    addToLinkedIn: "Aggiungi al profilo LinkedIn",
    wallet: "Wallet",
    walletMeans:
      "Inquadri il codice con un’app wallet, come Learner Credential Wallet, o apra questa pagina sul telefono che la contiene.",
    openLearnerWallet: "Apri in Learner Credential Wallet",
    openOtherWallet: "Apri in un altro wallet",
    walletInvalidated: "Questo attestato è stato invalidato: le app wallet non possono più prenderlo.",
    walletErased:
      "I dati di questa persona sono stati cancellati qui: non c’è più un nome che un’app wallet possa prendere.",
    walletElsewhere:
      "Un altro sistema ha rilasciato questo attestato: le app wallet non possono prenderlo da qui. Il documento e la pagina restano.",
    walletNone:
      "Gli attestati di questo tipo non sono fatti per le app wallet. Il documento e la pagina restano.",
    walletNoHttps:
      "Questo servizio non ha un indirizzo HTTPS, che serve alle app wallet e ai JWT. Il PDF e il badge in JSON, PNG o SVG si possono scaricare.",
    walletPrivacy:
      "Chiunque abbia l’indirizzo di questa pagina può prendere l’attestato. Lo passi solo ai Suoi dispositivi.",
    link: "Link a questa pagina",
    copyLink: "Copia",
    linkCopied: "Copiato",

    verifyAnother: "Verifica un altro attestato",
    trustAddress: "Si fidi di questa pagina soltanto all’indirizzo {address}",
    form: "Verifica un attestato",
    formMeans: "Inserisca l’identificativo o l’indirizzo stampato sul documento.",
    formExample: "Per esempio {address}",
    verify: "Verifica",
    unreadableIdentifier:
      "Questo non è un identificativo. Ha 32 cifre, da 0 a 9 e da a fino a f, oppure è un indirizzo che inizia con {address}",

    download: "Download",
    linkLeadsNowhere:
      "Questo link non porta da nessuna parte. Verifichi che sia il link completo della Sua e-mail.",
    downloadInvalidated: "Questo attestato è stato invalidato: non può più essere scaricato.",
    downloadUnavailable: "Questo attestato non è disponibile: ora non può essere scaricato.",
    downloadNotFound: "Questo attestato non esiste, o non è il Suo.",
    downloadRefused: "Acceda prima alla Sua piattaforma di apprendimento, poi segua di nuovo il link.",

    myCredentials: "I Suoi attestati",
    myCredentialsMean:
      "Gli attestati che Le sono stati rilasciati, dal più recente. I documenti sono Suoi. Condivida la pagina di un attestato con chi desidera verificarlo.",
    noCredentials: "Non Le è ancora stato rilasciato alcun attestato.",
    moreCredentials: "Altri attestati",
    downloadFile: "Scarica il PDF",
    seeForOthers: "Vedi e condividi la pagina",
    toWallet: "Conservalo in un’app wallet",
    wholeRecord: "Scarica tutto in un unico file",
    wholeRecordMeans:
      "Un file firmato con i badge di tutti gli attestati validi qui, per i programmi di datori di lavoro e università. È valido 90 giorni.",
    noRecord: "Nessuno dei Suoi attestati ha un badge valido ora: non c’è nulla da mettere in un file.",
    recordAsPdf: "Scarica in PDF",
    recordAsPdfMeans: "Il PDF li elenca perché si possano leggere e contiene lo stesso file.",
    learnerRecord: "Riepilogo degli attestati",
    learnerRecordMeans:
      "Ognuno di questi attestati era valido il {date}. Se lo è ancora, lo dice la sua pagina. Il file allegato record.json dice lo stesso ai programmi: è firmato da {platformName} ed è valido fino al {lastDay}.",
    learnerRecordPartial: "Il titolare ha altri attestati, che non sono elencati qui.",
    pageOf: "Pagina {page} di {pages}",
    statusGenerating: "In preparazione",

    signIn: "Accesso alla console",
    notSignedIn: "Accesso non effettuato",
    signInNotBegun:
      "Questo browser non ha iniziato l’accesso, o lo ha fatto troppo tempo fa. Apra la console e acceda di nuovo.",
    signInCancelled: "L’accesso è stato annullato, o rifiutato dal fornitore di identità.",
    signInNotProven:
      "La risposta del fornitore di identità non appartiene a questo accesso, o è scaduta. Ricominci.",
    providerOutOfReach: "Il fornitore di identità non è raggiungibile. Riprovi più tardi.",
    notStaff:
      "Lei è noto come {username}, che qui non fa parte del personale. Il fornitore di identità deve indicarlo in uno di questi attributi (claim): {claims}",
    notAPerson: "Lei è noto come {username}, che è un servizio. La console è per le persone.",
    signInRefused:
      "La risposta del fornitore di identità non è accettata qui. Chieda a chi gestisce questo servizio.",
    backToConsole: "Torna alla console",

    ltiCourse: "I Suoi attestati in questo corso",
    ltiNothing: "In questo corso non si può ancora ottenere alcun attestato.",
    ltiEarned: "Ha soddisfatto tutti i requisiti.",
    ltiNotEarned: "Non ancora ottenuto",
    ltiPart: "Parte",
    ltiYours: "Raggiunto",
    ltiNeeded: "Necessario",
    ltiTotal: "Totale",
    ltiCompleted: "Completato",
    ltiPassed: "Superato sulla piattaforma",
    ltiYes: "Sì",
    ltiNotYet: "Non ancora",
    ltiLetter: "Voto in lettere",
    ltiOrBetter: "{letter} o superiore",
    ltiRefresh: "Aggiorna",
    ltiNotOpened: "Questa pagina non può essere aperta",
    ltiForAdministrators: "Lo comunichi a chi gestisce la Sua piattaforma di apprendimento:",
    ltiSignIn: "Acceda alla Sua piattaforma di apprendimento, poi riapra questa pagina.",
    ltiPending:
      "La Sua piattaforma di apprendimento ha chiesto di mostrare qui {platformName}. Chi gestisce {platformName} deve prima accettarlo.",
    ltiNoCourse: "{platformName} non conosce ancora questo corso. Chieda a chi lo gestisce.",
    ltiUnknownPerson:
      "{platformName} non La conosce ancora in questo corso. Torni domani o chieda a chi lo gestisce.",
    ltiErased: "I Suoi dati sono stati cancellati qui su Sua richiesta, quindi non si può mostrare nulla.",
    ltiNoRole:
      "Questa pagina mostra agli studenti i loro attestati. Non c’è nulla per il Suo ruolo in questo corso.",
    ltiTeacher: "Attestati di questo corso",
    ltiTeacherMeans:
      "Veda chi ha ottenuto quale attestato. La console si apre in una scheda propria; il link vale una sola volta, per dieci minuti.",
    ltiOpenConsole: "Apri la console",
    ltiPlace: "Aggiungi al corso",
    ltiExpired: "Questa pagina è stata aperta troppo tempo fa. La riapra nel Suo corso.",
    ltiNewTab: "Apri questa pagina in una nuova scheda",
    ltiNewTabMeans:
      "Il Suo browser non conserva nulla per le pagine dentro altre pagine, quindi qui non si può sapere che è Lei.",
    ltiNewTabByHand:
      "Il Suo browser non conserva nulla per le pagine dentro altre pagine. Consenta i cookie di {address} o usi un altro browser.",
    ltiMoment: "Un momento…",
    ltiContinue: "Continua",
    ltiRegister: "Registra {platformName} presso la Sua piattaforma di apprendimento",
    ltiRegisterMeans:
      "La Sua piattaforma all’indirizzo {address} potrà mostrare {platformName} nei corsi. Comunicherà nomi, indirizzi e ruoli di chi lo apre, e i membri di questi corsi se Lei lo consente.",
    ltiRegisterNow: "Registra",
    ltiRegistered: "Registrato",
    ltiRegisteredMeans:
      "Ora chi gestisce {platformName} deve accettare la Sua piattaforma. Può chiudere questa finestra.",
    ltiInvitation: "Questo link è già stato usato, è scaduto o non è mai esistito. Ne chieda uno nuovo.",

    onlyGet: "Qui sono ammessi soltanto GET e HEAD.",
    outOfReach: "Al momento non è possibile rispondere. Riprovi più tardi.",
    fault: "Qui qualcosa è andato storto. Riprovi più tardi.",
  },
};
