import type { SetupWording } from "../en/setup.js";

export const words: SetupWording = {
  title: "Primi passi",
  done: "(fatto)",
  stepCourse: "Serve un corso: colleghi la piattaforma che lo tiene, o ne crei uno qui.",
  stepDesign: "Disegni un attestato: cominci da uno dei modelli.",
  stepOffer: "Offra l’attestato nel corso.",
  stepIssue: "Rilasci alla prima persona. Basta un elenco con un nome.",
  design: "Disegnare un attestato",
  toTypes: "Offrire un attestato",
  newCourse: "Crea un corso…",
  name: "Nome",
  nameMeans: "Gli attestati lo stampano.",
  organisation: "Organizzazione",
  organisationMeans: "Un nome breve, come Uni. Può decidere chi vede il corso.",
  edition: "Edizione",
  editionMeans: "Distingue corsi dello stesso nome: un anno o un semestre.",
  forPrograms: "Per i programmi",
  code: "Codice",
  codeMeans: "Vuoto: formato dal nome. Lettere, cifre e - _ ~ . :",
  key: "Chiave:",
  courseMeans:
    "Per corsi di cui nessuna piattaforma riferisce. Le persone vengono da un elenco. Se poi una piattaforma ne riferisce, vale ciò che dice.",
  make: "Crea il corso",
  made: "Ora c’è un corso:",
  madeMeans: "Offra ora un attestato in esso. Poi rilasci alle persone di un elenco.",
  connect: "Collega una piattaforma…",
  connectMeans:
    "Chi gestisce il servizio collega Open edX, Moodle o Canvas: la pagina «Connectors» della documentazione dice come. Questi comandi lo verificano e mostrano che cosa si leggerebbe:",
  importMeans: "I dati di ogni altro programma si leggono da un file:",
};
