import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nome del file su cui stampare; predefinito: il modello integrato",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Colore di una pagina vuota su cui queste opzioni dispongono tutto; senza, e senza pagina di sfondo, si stampa il modello integrato",
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
    "Cifra con AES-256: tutti possono aprire, stampare e copiare il documento, nessuno può cambiarlo; esclude PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Per quanto tempo valgono gli attestati: un periodo dall’emissione, come P2Y, P18M o P30D, o l’ultimo giorno, come 2027-08-31; predefinito: per sempre",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Quanto prima della scadenza rinnovare, come P60D; P0D: dopo la scadenza; predefinito: nessun rinnovo",
  "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them":
    "Dati della persona che la pagina pubblica di verifica riporta, se il documento li stampa: grade, completion, learner_id; predefinito: nessuno; la pagina dice allora che non li conferma",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Giorni prima della scadenza in cui si manda un’e-mail; predefiniti: 60, 14, 1; []: mai",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Parole vostre nell’e-mail che annuncia un attestato: testo di al più 2000 caratteri, ogni riga un paragrafo",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Ciò che dice l’Open Badge oltre ai dati; false: nessun badge",
  "What was achieved; default: the names of type and context":
    "Che cosa è stato raggiunto; predefinito: i nomi di tipo e corso",
  "What it takes to earn it; default: the names of type and context":
    "Che cosa serve per ottenerlo; predefinito: i nomi di tipo e corso",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Indirizzo di un’immagine del risultato, che tutti possano caricare: https://…",
  "Fraction 0..1 of the course that must be completed.": "Quota del corso, da 0 a 1, da completare.",
  "Whether the platform must consider the course as passed, as course_grade records say.":
    "Se la piattaforma deve considerare superato il corso, secondo i record course_grade.",
  'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".':
    "Voto in lettere della piattaforma che è richiesto: questo, o uno superiore nella scala del corso, per esempio «B».",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Se Total è il totale della piattaforma, anziché la somma pesata dei tipi di compito.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:':
    'Il testo; scrivere {{ e }} per le graffe, \\n per una nuova riga. Una parte tra ritorni a capo, " · " o " | " si omette se uno dei suoi segnaposto non ha valore: "Voto: {grade} · {hours} ore". Segnaposto:',
  "{name} the learner's full name": "{name} nome completo dello studente",
  "{context_name} the name of the course or learning path": "{context_name} nome del corso o percorso",
  "{issue_date} the day of issue": "{issue_date} giorno di rilascio",
  "{award_date} the day on which it was first issued, which a reissue keeps":
    "{award_date} giorno del primo rilascio, che resta quando si rilascia di nuovo",
  "{valid_until} the last day of its validity": "{valid_until} ultimo giorno di validità",
  "{verify_uuid} the verification UUID": "{verify_uuid} UUID di verifica",
  "{verify_url} the address of its verification page": "{verify_url} indirizzo della pagina di verifica",
  "{verify_short_url} the same to be typed, without https://":
    "{verify_short_url} lo stesso, da digitare, senza https://",
  "{credential_type} the name of the credential type": "{credential_type} nome del tipo di attestato",
  "{title} the option titles in the document's language, or else the credential type":
    "{title} l’opzione titles nella lingua del documento, altrimenti il tipo di attestato",
  "{platform_name} the issuer's name": "{platform_name} nome dell’emittente",
  "{grade} the total in the course, such as 92.35%": "{grade} totale nel corso, come 92,35 %",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}":
    "{grade.<assignment type>} risultato di un tipo di compito, come {grade.final}",
  "{completion} how much of the course was completed, such as 95%":
    "{completion} quanto del corso è completato, come 95 %",
  "{steps} the number of courses in the learning path": "{steps} numero di corsi del percorso",
  "{hours} the option hours": "{hours} l’opzione hours",
  "{credits} the option credits": "{credits} l’opzione credits",
  "{learner_id} the learner_id of the learner's record":
    "{learner_id} learner_id della scheda dello studente",
  "{signatory_name} the name of the option signatory": "{signatory_name} nome dell’opzione signatory",
  "{signatory_title} the title of the option signatory": "{signatory_title} carica dell’opzione signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}":
    "{learner.<key>} un attributo della scheda dello studente, come {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record":
    "{enrollment.<key>} un attributo della scheda dell’iscrizione",
  "{words.<phrase>} a phrase in the document's language":
    "{words.<phrase>} una formula nella lingua del documento",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option":
    "{second.<phrase>} lo stesso nella lingua dell’opzione second_language, e {second.title}, {second.issue_date}; nulla senza quell’opzione",
  "Left edge, in points from the left": "Bordo sinistro, in punti da sinistra",
  "Lower edge, in points from the bottom": "Bordo inferiore, in punti dal basso",
  "Side in points": "Lato, in punti",
  "Colour of the dark modules": "Colore dei moduli scuri",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff":
    "Colore di sfondo del codice e del suo margine di quattro moduli, o false per nessuno; predefinito su una pagina di sfondo: #fff",
  "Slug of a PNG, JPEG or SVG asset": "Nome di un file PNG, JPEG o SVG",
  "In points; default: as the proportions require": "In punti; predefinita: secondo le proporzioni",
  "Text alternative for people who can't see the image; without it, the image counts as decoration":
    "Testo per chi non può vedere l’immagine; senza, l’immagine vale come ornamento",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures":
    "Nome di un file PNG, JPEG o SVG con la firma, per il modello integrato e places.signatures",
  "A second language, for placeholders such as {second.title}":
    "Una seconda lingua, per segnaposto come {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue":
    "Dati che il modello integrato stampa con le etichette in una riga sotto il corso; si omettono quelli senza valore, e award_date nel giorno del rilascio",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there":
    "Nome di un file PNG, JPEG o SVG in places.seal, al posto del sigillo che vi si disegna",
  "Lines and ornaments, above the page and below everything else, in this order":
    "Linee e ornamenti, sopra la pagina e sotto tutto il resto, in quest’ordine",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left":
    "Se scambiare sinistra e destra su una carta, in una lingua che si scrive da destra a sinistra",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page":
    "Il formato per cui valgono le posizioni su una carta: sull’altro si spostano in proporzione; predefinito: il formato della pagina",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of":
    "Lingua del documento, delle sue date, maiuscole e parole. Su una pagina di sfondo, ogni lingua con formati di data noti; altrimenti una tra",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked":
    "true: fallire anziché generare un file che non sia PDF/A-3b. Di norma lo è, a meno che sia cifrato o usi una pagina PDF, le cui parti non sono controllate",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path":
    "Genere di risultato; predefinito: CertificateOfCompletion, o LearningProgram per un percorso",
  "Whether it states the grades and completion that earned the credential; default: false":
    "Se indica i voti e il completamento con cui si è ottenuto l’attestato; predefinito: false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false":
    "Se contiene l’hash con sale dell’indirizzo dello studente, da cui le raccolte di badge riconoscono il titolare; predefinito: false",
  "Words by which the achievement is found": "Parole con cui si trova il risultato",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads":
    "Competenze di quadri come ESCO, CASE o CTDL a cui porta",
  Name: "Nome",
  "Address of its site: https://…": "Indirizzo del suo sito: https://…",
  "Who has defined the achievement, if somebody else than the issuer":
    "Chi ha definito il risultato, se non è l’emittente",
  "Credits that it is worth, as a number: available, and earned with the badge":
    "Crediti che vale, come numero: quelli previsti e quelli ottenuti con il badge",
  "Field of study, such as Astronomy": "Ambito di studio, come Astronomia",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.':
    'Parte richiesta, da 0 a 1, in ogni tipo di compito e in "Total": {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block":
    "Blocco a cui appartiene: uno di blocks. La sua y dice allora quanto dista dagli altri del blocco",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side":
    "line: da x e y all’angolo opposto; rosette: ellissi che ruotano attorno al centro; guilloche: una treccia di onde lungo il lato maggiore",
  "In points; for a line, how far it goes to the right": "In punti; per una linea, quanto va verso destra",
  "In points; for a line, how far it goes up": "In punti; per una linea, quanto sale",
  "Colour of its lines; without it, and without fill, ink":
    "Colore delle sue linee; senza, e senza fill: ink",
  "Width of its lines, in points": "Spessore delle sue linee, in punti",
  "Colour of its area": "Colore della sua area",
  "Radius of the corners of a rectangle": "Raggio degli angoli di un rettangolo",
  "Length of dashes, in points; 0.1 with a round end makes dots":
    "Lunghezza dei tratti, in punti; 0.1 con estremità tonda fa dei puntini",
  "Degrees by which it is turned about x and y, anticlockwise":
    "Gradi di cui è ruotato attorno a x e y, in senso antiorario",
  "Number of ellipses of a rosette": "Numero di ellissi di una rosetta",
  "Short axis of the ellipses, as a share of the long one":
    "Asse minore delle ellissi, come quota del maggiore",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y":
    "Per un tracciato: M, L, C e Z come in SVG, in punti a destra di x e sopra y",
  "Colour of the text": "Colore del testo",
  "Colour of what stands beside it in smaller letters":
    "Colore di ciò che gli sta accanto in caratteri più piccoli",
  "Greatest width, in points": "Larghezza massima, in punti",
  "Greatest height, in points": "Altezza massima, in punti",
  "Where in this box a smaller logo stands": "Dove sta in questo riquadro un logo più piccolo",
  "Where the row is aligned, in points from the left": "Dove si allinea la fila, in punti da sinistra",
  "Baseline of the values in the first row, in points from the bottom":
    "Linea di base dei valori della prima fila, in punti dal basso",
  "Width of a full row, in points": "Larghezza di una fila piena, in punti",
  "Which point of each row is at x": "Quale punto di ogni fila sta in x",
  "Greatest number of facts in a row": "Numero massimo di dati in una fila",
  "Where the labels stand": "Dove stanno le etichette",
  "Colour of thin lines between the facts; default: none":
    "Colore di linee sottili tra i dati; predefinito: nessuna",
  "Baseline of the names, in points from the bottom": "Linea di base dei nomi, in punti dal basso",
  "Width of the row, in points": "Larghezza della fila, in punti",
  "Which point of the row is at x, and where names stand in their columns":
    "Quale punto della fila sta in x, e dove stanno i nomi nelle loro colonne",
  "Greatest height of the pictures, in points": "Altezza massima delle immagini, in punti",
  "Greatest width of a column, in points": "Larghezza massima di una colonna, in punti",
  "Colour of the line between picture and name; someone without a picture has no line":
    "Colore della linea tra immagine e nome; chi non ha immagine non ha linea",
  "Width and height, in points": "Larghezza e altezza, in punti",
  "Colour of the seal that is drawn": "Colore del sigillo disegnato",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal":
    "Come si disegna il sigillo, con il nome dell’emittente; none: solo l’immagine dell’opzione seal",
  "Upper end of its room, in points from the bottom": "Estremo superiore del suo spazio, in punti dal basso",
  "Lower end of its room, in points from the bottom": "Estremo inferiore del suo spazio, in punti dal basso",
  "Where in its room the block stands; center is the optical one, a little higher":
    "Dove sta il blocco nel suo spazio; center è il centro ottico, un po’ più in alto",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink":
    "Gruppi di ciò che ha questo nome come block. Si stringono dove manca una parte e fanno posto a testi più lunghi; se lo spazio non basta, si riducono le distanze e poi i testi",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible":
    "Che cosa richiede un rinnovo; eligible: avere i requisiti oggi; new_record: averli con i soli risultati successivi al rilascio; predefinito: eligible",
  "Name of the skill": "Nome della competenza",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO":
    "Il suo indirizzo nel quadro: https://…, o http://data.europa.eu/… di ESCO",
  "What it is": "Di che cosa si tratta",
  "Name of the framework": "Nome del quadro",
  "Code by which the framework names it": "Codice con cui il quadro la indica",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own":
    "Tipo di nodo: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, o ext: e una parola propria",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "Che cosa stampano {issuer_name}, {issuer_contact} e {issuer_imprint}; se manca: ciò che indica l’aspetto di pagine e mail dell’emittente",
  "Name of the issuer, as it is printed": "Nome dell’emittente, come viene stampato",
  "Where questions are answered: a mail address, or an address with https":
    "Dove si risponde alle domande: un indirizzo di posta o un indirizzo con https",
  "The page that says who is responsible by law: an address with https":
    "La pagina che dice chi è responsabile per legge: un indirizzo con https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} nome in cima a pagine e mail dell’emittente; se manca, come {platform_name}",
  "{issuer_contact} where the issuer answers questions":
    "{issuer_contact} dove l’emittente risponde alle domande",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} indirizzo delle note legali dell’emittente, senza https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "Larghezza che resta libera al centro di una riga centrata, in punti, per esempio per un sigillo",
};
