import type { BrandingWording } from "../en/branding.js";

export const words: BrandingWording = {
  title: "Aspetto di pagine e mail",
  means:
    "Le pagine di verifica, le mail e le pagine per gli studenti mostrano questo nome, colore e logo, e a chi rivolgersi. Un’organizzazione mostra ciò che vale per tutto il servizio, se non indica altro. I nuovi documenti del generatore del servizio hanno logo e colore, se il loro tipo non ne indica altri, e nome, contatti e note legali dove il loro modello li chiede.",
  organisation: "Organizzazione",
  wholeService: "Tutto il servizio",
  another: "Un’altra organizzazione…",
  organisationCode: "Codice dell’organizzazione",
  organisationCodeMeans: "Come nelle chiavi dei suoi corsi: Uni in course-v1:Uni+Corso+2026.",
  nameMeans: "Sta in cima a pagine e mail. Non cambia chi ha rilasciato un certificato.",
  accent: "Colore di link e pulsanti",
  accentMeans: "Per esempio #1f5468. Dove non si leggerebbe diventa più scuro o più chiaro.",
  pickColour: "Scegli il colore",
  logoMeans: "Un PNG o JPEG tra i file dei modelli, di al massimo 200 KB. Le mail lo portano con sé.",
  noLogo: "Nessun logo",
  asService: "Come tutto il servizio",
  contactMeans: "Un indirizzo di posta o un indirizzo con https.",
  imprintMeans: "La pagina che dice chi è responsabile per legge, con https.",
  saved: "Salvato. Le pagine lo mostrano entro dieci secondi.",
  mail: "Che cosa ricevono gli studenti",
  mailKind: "Mail",
  subject: "Oggetto",
  heading: "Titolo",
  introduction: "Testo dopo il saluto",
  mailPlaceholders: "Ciò che è vuoto dice le parole in grigio. Ogni riga è un paragrafo. Si può nominare:",
  usualWords: "Tornare alle parole consuete",
  asSent: "Come lo ricevono gli studenti",
  mailKinds: {
    1: "È disponibile",
    2: "Scade presto",
    3: "È stato ritirato",
  },
  language: "Lingua di chi legge",
  tryWords: "Parole proprie",
  tryWordsMean:
    "Per provare. Per inviarle, inseriscile nell’opzione per le mail di un tipo o di ciò che offre un corso.",
};
