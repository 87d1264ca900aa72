import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Name der Seite, auf die gedruckt wird; Vorgabe: die eingebaute Gestaltung",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Farbe einer leeren Seite, auf die diese Optionen alles setzen; ohne sie und ohne Seite zum Bedrucken wird gedruckt die eingebaute Gestaltung",
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
    "Wie lange Nachweise gelten: eine Zeit ab Ausstellung, etwa P2Y, P18M oder P30D, oder der letzte Tag, etwa 2027-08-31; Vorgabe: unbegrenzt",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Wie lange vor Ablauf Läufe die Nachweise derer erneuern, die die Anforderungen erfüllen, etwa P60D; P0D: nach Ablauf; Vorgabe: Läufe erneuern nichts",
  "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them":
    "Angaben zur Person, die auf der öffentlichen Prüfseite stehen, wenn das Dokument sie druckt: grade, completion, learner_id; Vorgabe: keine; die Seite sagt dann, dass sie sie nicht bestätigt",
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
  "Whether the platform must consider the course as passed, as course_grade records say.":
    "Ob die Plattform den Kurs als bestanden werten muss, laut course_grade-Einträgen.",
  'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".':
    "Note der Plattform, die verlangt wird: diese oder eine bessere in der Notenskala des Kurses, etwa „B“.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Ob Total die Gesamtnote der Plattform ist statt der gewichteten Summe der Aufgabentypen.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:':
    'Der Text; {{ und }} stehen für geschweifte Klammern, \\n für eine neue Zeile. Ein Teil zwischen Zeilenumbrüchen, " · " oder " | " entfällt, wenn einer seiner Platzhalter keinen Wert hat: "Note: {grade} · {hours} Stunden". Platzhalter:',
  "{name} the learner's full name": "{name} voller Name der lernenden Person",
  "{context_name} the name of the course or learning path": "{context_name} Name des Kurses oder Lernpfads",
  "{issue_date} the day of issue": "{issue_date} Tag der Ausstellung",
  "{award_date} the day on which it was first issued, which a reissue keeps":
    "{award_date} Tag der ersten Ausstellung, der bei erneuter Ausstellung bleibt",
  "{valid_until} the last day of its validity": "{valid_until} letzter Tag der Gültigkeit",
  "{verify_uuid} the verification UUID": "{verify_uuid} UUID zum Prüfen",
  "{verify_url} the address of its verification page": "{verify_url} Adresse der Prüfseite",
  "{verify_short_url} the same to be typed, without https://":
    "{verify_short_url} dieselbe zum Abtippen, ohne https://",
  "{credential_type} the name of the credential type": "{credential_type} Name des Nachweistyps",
  "{title} the option titles in the document's language, or else the credential type":
    "{title} die Option titles in der Sprache des Dokuments, sonst der Nachweistyp",
  "{platform_name} the issuer's name": "{platform_name} Name des Ausstellers",
  "{grade} the total in the course, such as 92.35%": "{grade} Gesamtnote im Kurs, etwa 92,35 %",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}":
    "{grade.<assignment type>} Ergebnis eines Aufgabentyps, etwa {grade.final}",
  "{completion} how much of the course was completed, such as 95%":
    "{completion} wie viel vom Kurs abgeschlossen ist, etwa 95 %",
  "{steps} the number of courses in the learning path": "{steps} Zahl der Kurse im Lernpfad",
  "{hours} the option hours": "{hours} die Option hours",
  "{credits} the option credits": "{credits} die Option credits",
  "{learner_id} the learner_id of the learner's record":
    "{learner_id} die learner_id aus dem Datensatz der lernenden Person",
  "{signatory_name} the name of the option signatory": "{signatory_name} Name aus der Option signatory",
  "{signatory_title} the title of the option signatory": "{signatory_title} Amt aus der Option signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}":
    "{learner.<key>} ein Merkmal aus dem Datensatz der lernenden Person, etwa {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record":
    "{enrollment.<key>} ein Merkmal aus dem Datensatz der Einschreibung",
  "{words.<phrase>} a phrase in the document's language":
    "{words.<phrase>} eine Wendung in der Sprache des Dokuments",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option":
    "{second.<phrase>} dasselbe in der Sprache der Option second_language, dazu {second.title} und {second.issue_date}; ohne diese Option nichts",
  "Left edge, in points from the left": "Linke Kante, in Punkten von links",
  "Lower edge, in points from the bottom": "Untere Kante, in Punkten von unten",
  "Side in points": "Seitenlänge in Punkten",
  "Colour of the dark modules": "Farbe der dunklen Felder",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff":
    "Farbe des Grundes unter dem Code und seinem Rand von vier Feldern, oder false für keine; Vorgabe auf einer Seite zum Bedrucken: #fff",
  "Slug of a PNG, JPEG or SVG asset": "Name einer PNG-, JPEG- oder SVG-Datei",
  "In points; default: as the proportions require": "In Punkten; Vorgabe: wie es die Proportionen verlangen",
  "Text alternative for people who can't see the image; without it, the image counts as decoration":
    "Text für alle, die das Bild nicht sehen können; ohne ihn gilt das Bild als Schmuck",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures":
    "Name einer PNG-, JPEG- oder SVG-Datei mit der Unterschrift, für die eingebaute Gestaltung und places.signatures",
  "A second language, for placeholders such as {second.title}":
    "Eine zweite Sprache, für Platzhalter wie {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue":
    "Angaben, die die eingebaute Gestaltung mit Beschriftungen in einer Reihe unter dem Kurs druckt; es entfallen solche ohne Wert, und award_date am Tag der Ausstellung",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there":
    "Name einer PNG-, JPEG- oder SVG-Datei bei places.seal, anstelle des Siegels, das dort gezeichnet wird",
  "Lines and ornaments, above the page and below everything else, in this order":
    "Linien und Schmuck, über der Seite und unter allem anderen, in dieser Reihenfolge",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left":
    "Ob auf leerem Papier links und rechts vertauscht werden, in einer Sprache, die von rechts nach links läuft",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page":
    "Das Format, für das die Lagen auf dem Papier gedacht sind: auf dem anderen werden sie im Verhältnis verschoben; Vorgabe: das Format der Seite",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of":
    "Sprache des Dokuments, seiner Daten, Großbuchstaben und Worte. Auf einer Seite zum Bedrucken jede Sprache mit bekannten Datumsformaten; sonst eine von",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked":
    "true: scheitern, statt eine Datei zu erzeugen, die nicht PDF/A-3b ist. Ohnehin ist sie PDF/A-3b, außer sie ist verschlüsselt oder auf eine PDF-Seite gedruckt, deren Teile nicht geprüft werden",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path":
    "Art der Leistung; Vorgabe: CertificateOfCompletion, für einen Lernpfad LearningProgram",
  "Whether it states the grades and completion that earned the credential; default: false":
    "Ob er die Noten und den Fortschritt nennt, mit denen der Nachweis erworben wurde; Vorgabe: false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false":
    "Ob er den gesalzenen Hash der E-Mail-Adresse enthält, an dem Sammelmappen erkennen, wem er gehört; Vorgabe: false",
  "Words by which the achievement is found": "Worte, unter denen die Leistung gefunden wird",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads":
    "Kompetenzen aus Rahmenwerken wie ESCO, CASE oder CTDL, zu denen er führt",
  Name: "Name",
  "Address of its site: https://…": "Adresse der Website: https://…",
  "Who has defined the achievement, if somebody else than the issuer":
    "Wer die Leistung festgelegt hat, wenn nicht der Aussteller",
  "Credits that it is worth, as a number: available, and earned with the badge":
    "Leistungspunkte, als Zahl: was die Leistung zählt und mit dem Badge erworben ist",
  "Field of study, such as Astronomy": "Fachgebiet, etwa Astronomie",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.':
    'Geforderter Anteil, 0 bis 1, in jedem Aufgabentyp und in "Total": {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block":
    "Block, zu dem es gehört: einer aus blocks. Sein y sagt dann, wie weit es von den anderen des Blocks entfernt ist",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side":
    "line: von x und y zur Ecke gegenüber; rosette: Ellipsen, die sich um die Mitte drehen; guilloche: ein Geflecht von Wellen entlang der längeren Seite",
  "In points; for a line, how far it goes to the right":
    "In Punkten; bei einer Linie, wie weit sie nach rechts geht",
  "In points; for a line, how far it goes up": "In Punkten; bei einer Linie, wie weit sie nach oben geht",
  "Colour of its lines; without it, and without fill, ink": "Farbe der Linien; ohne sie und ohne fill: ink",
  "Width of its lines, in points": "Stärke der Linien, in Punkten",
  "Colour of its area": "Farbe der Fläche",
  "Radius of the corners of a rectangle": "Radius der Ecken eines Rechtecks",
  "Length of dashes, in points; 0.1 with a round end makes dots":
    "Länge der Striche, in Punkten; 0.1 mit rundem Ende gibt Punkte",
  "Degrees by which it is turned about x and y, anticlockwise":
    "Grad, um die es um x und y gedreht ist, gegen den Uhrzeigersinn",
  "Number of ellipses of a rosette": "Zahl der Ellipsen einer Rosette",
  "Short axis of the ellipses, as a share of the long one": "Kurze Achse der Ellipsen, als Anteil der langen",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y":
    "Für einen Pfad: M, L, C und Z wie in SVG, in Punkten rechts von x und über y",
  "Colour of the text": "Farbe des Textes",
  "Colour of what stands beside it in smaller letters": "Farbe dessen, was kleiner daneben steht",
  "Greatest width, in points": "Größte Breite, in Punkten",
  "Greatest height, in points": "Größte Höhe, in Punkten",
  "Where in this box a smaller logo stands": "Wo in diesem Feld ein kleineres Logo steht",
  "Where the row is aligned, in points from the left":
    "Woran die Reihe ausgerichtet ist, in Punkten von links",
  "Baseline of the values in the first row, in points from the bottom":
    "Grundlinie der Werte in der ersten Reihe, in Punkten von unten",
  "Width of a full row, in points": "Breite einer vollen Reihe, in Punkten",
  "Which point of each row is at x": "Welcher Punkt jeder Reihe bei x liegt",
  "Greatest number of facts in a row": "Höchstzahl der Angaben in einer Reihe",
  "Where the labels stand": "Wo die Beschriftungen stehen",
  "Colour of thin lines between the facts; default: none":
    "Farbe dünner Linien zwischen den Angaben; Vorgabe: keine",
  "Baseline of the names, in points from the bottom": "Grundlinie der Namen, in Punkten von unten",
  "Width of the row, in points": "Breite der Reihe, in Punkten",
  "Which point of the row is at x, and where names stand in their columns":
    "Welcher Punkt der Reihe bei x liegt, und wo die Namen in ihren Spalten stehen",
  "Greatest height of the pictures, in points": "Größte Höhe der Bilder, in Punkten",
  "Greatest width of a column, in points": "Größte Breite einer Spalte, in Punkten",
  "Colour of the line between picture and name; someone without a picture has no line":
    "Farbe der Linie zwischen Bild und Name; ohne Bild gibt es keine Linie",
  "Width and height, in points": "Breite und Höhe, in Punkten",
  "Colour of the seal that is drawn": "Farbe des gezeichneten Siegels",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal":
    "Wie das Siegel mit dem Namen des Ausstellers gezeichnet wird; none: nur das Bild der Option seal",
  "Upper end of its room, in points from the bottom": "Oberes Ende seines Raums, in Punkten von unten",
  "Lower end of its room, in points from the bottom": "Unteres Ende seines Raums, in Punkten von unten",
  "Where in its room the block stands; center is the optical one, a little higher":
    "Wo der Block in seinem Raum steht; center ist die optische Mitte, etwas höher",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink":
    "Gruppen aus allem, was diesen Namen als block hat. Sie rücken zusammen, wo ein Teil fehlt, und machen längeren Texten Platz; reicht der Raum nicht, schrumpfen erst Abstände, dann Texte",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible":
    "Was eine Erneuerung verlangt; eligible: dass die Anforderungen heute erfüllt sind; new_record: dass Ergebnisse von nach der Ausstellung allein sie erfüllen; Vorgabe: eligible",
  "Name of the skill": "Name der Kompetenz",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO":
    "Ihre Adresse im Rahmenwerk: https://…, oder http://data.europa.eu/… von ESCO",
  "What it is": "Worum es sich handelt",
  "Name of the framework": "Name des Rahmenwerks",
  "Code by which the framework names it": "Code, unter dem das Rahmenwerk sie führt",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own":
    "Art des Eintrags: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, oder ext: und ein eigenes Wort",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "Was {issuer_name}, {issuer_contact} und {issuer_imprint} drucken; sonst: was das Aussehen von Seiten und Mails des Ausstellers angibt",
  "Name of the issuer, as it is printed": "Name des Ausstellers, wie er gedruckt wird",
  "Where questions are answered: a mail address, or an address with https":
    "Wo Fragen beantwortet werden: eine Mailadresse oder eine Adresse mit https",
  "The page that says who is responsible by law: an address with https":
    "Die Seite, die angibt, wer rechtlich verantwortlich ist: eine Adresse mit https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} Name, der über Seiten und Mails des Ausstellers steht, sonst wie {platform_name}",
  "{issuer_contact} where the issuer answers questions":
    "{issuer_contact} wo der Aussteller Fragen beantwortet",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} Adresse des Impressums des Ausstellers, ohne https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "Breite, die in der Mitte einer zentrierten Reihe frei bleibt, in Punkt, etwa für ein Siegel",
};
