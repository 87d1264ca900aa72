import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nome del file su cui stampare; predefinito: il modello integrato",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Colore di una pagina vuota su cui queste opzioni dispongono tutto; senza, e senza pagina, si stampa il modello integrato",
  "Slug of the asset to print on when the context name has several lines":
    "Nome del file su cui stampare se il nome del corso ha più righe",
  "Style of all text elements that don't set their own": "Stile dei testi che non ne fissano uno proprio",
  "Slug of a font asset, or the name of a built-in family":
    "Nome di un file di carattere, o di una famiglia integrata",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Colore del testo: esadecimale, accent, ink o paper, o una tinta come accent/40",
  "Size in points": "Dimensione in punti",
  "Space added between letters, in points": "Spazio aggiunto tra le lettere, in punti",
  "Whether to print in capitals, by the rules of the language": "Se stampare in maiuscole, secondo la lingua",
  "Whether small letters are printed as small capitals, where the font has them":
    "Se stampare le minuscole in maiuscoletto, se il carattere lo ha",
  "Line spacing, as a multiple of the size": "Interlinea, come multiplo della dimensione",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Testi per nome. name, context e date si possono cambiare o mettere a false; gli altri richiedono text e y",
  "Position in points from the left; default: the middle of the page":
    "Posizione in punti da sinistra; predefinita: il centro della pagina",
  "Baseline of the first line, in points from the bottom":
    "Linea di base della prima riga, in punti dal basso",
  "Which point of each line is at x": "Quale punto di ogni riga sta in x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Larghezza massima in punti. Un testo più lungo si rimpicciolisce, poi va a capo, poi spezza le parole; sotto i 5 punti è rifiutato",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Numero massimo di righe; predefinito: 3, o 1 senza max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Quota della dimensione a cui un testo si riduce prima di andare a capo; predefinita: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Dimensione minima in punti: un testo che dovrebbe essere più piccolo è rifiutato; predefinita: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "Codice QR dell’indirizzo di verifica; predefinito: solo nel modello integrato",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Durata del corso in ore, per {hours} e i dati del modello integrato",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Crediti, come 6 ECTS, per {credits} e i dati del modello integrato",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "Chi firma, per {signatory_name}, {signatory_title} e la riga della firma del modello integrato",
  "Name of the person who signs": "Nome di chi firma",
  "Office of that person, such as Dean of Studies": "Carica di quella persona, come preside",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Chi firma, fianco a fianco in places.signatures; predefinita: l’opzione signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "Il titolo del documento per lingua, per {title} e {second.title}; predefinito: il tipo",
  "Labels by names of facts; default: those of the language":
    "Etichette per nome di dato; predefinite: quelle della lingua",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Nome di un file PNG, JPEG o SVG: un logo o stemma, in places.logo o in alto nel modello integrato",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Dove stanno logo, dati, firme e sigillo su una pagina; ciò che non ha posto non si stampa",
  "Images, above the template and below the texts": "Immagini, sopra la pagina e sotto i testi",
  "The page; a PDF template has its own": "La pagina; un PDF ha la propria",
  "Paper size": "Formato della carta",
  "Orientation of the page": "Orientamento della pagina",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "Il colore accent; nel modello integrato quello di cornice, sigillo ed emittente",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Cifra con AES-256: tutti possono aprire, stampare e copiare il documento, nessuno cambiarlo; esclude PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Quanto valgono gli attestati: un periodo dall’emissione, come P2Y, P18M o P30D, o l’ultimo giorno, come 2027-08-31; predefinito: sempre",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Quanto prima della scadenza rinnovare, come P60D; P0D: dopo la scadenza; predefinito: nessun rinnovo",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Giorni prima della scadenza in cui si manda una mail; predefiniti: 60, 14, 1; []: mai",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Parole vostre nella mail che annuncia un attestato: testo di al più 2000 caratteri, ogni riga un paragrafo",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Ciò che dice l’Open Badge oltre ai dati; false: nessun badge",
  "What was achieved; default: the names of type and context":
    "Che cosa è stato raggiunto; predefinito: i nomi di tipo e corso",
  "What it takes to earn it; default: the names of type and context":
    "Che cosa serve per ottenerlo; predefinito: i nomi di tipo e corso",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Indirizzo di un’immagine del risultato, che tutti possano caricare: https://…",
  "Fraction 0..1 of the course that must be completed.": "Quota del corso, da 0 a 1, da completare.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Se Total è il totale della piattaforma, anziché la somma pesata dei tipi di compito.",
};
