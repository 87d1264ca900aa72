import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nom du fichier sur lequel imprimer ; par défaut : le modèle intégré",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Couleur d’une page vide où ces options placent tout ; sans elle et sans page de fond, le modèle intégré est imprimé",
  "Slug of the asset to print on when the context name has several lines":
    "Nom du fichier sur lequel imprimer si le nom du cours a plusieurs lignes",
  "Style of all text elements that don't set their own": "Style des textes qui ne fixent pas le leur",
  "Slug of a font asset, or the name of a built-in family":
    "Nom d’un fichier de police, ou d’une famille intégrée",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Couleur du texte : hexadécimal, accent, ink ou paper, ou une teinte comme accent/40",
  "Size in points": "Taille en points",
  "Space added between letters, in points": "Espace ajouté entre les lettres, en points",
  "Whether to print in capitals, by the rules of the language": "Imprimer en capitales, selon la langue",
  "Whether small letters are printed as small capitals, where the font has them":
    "Imprimer les minuscules en petites capitales, si la police en a",
  "Line spacing, as a multiple of the size": "Interligne, en multiple de la taille",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Textes par nom. name, context et date peuvent être changés ou mis à false ; les autres ont besoin de text et y",
  "Position in points from the left; default: the middle of the page":
    "Position en points depuis la gauche ; par défaut : le milieu de la page",
  "Baseline of the first line, in points from the bottom":
    "Ligne de base de la première ligne, en points depuis le bas",
  "Which point of each line is at x": "Quel point de chaque ligne est en x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Largeur maximale en points. Un texte plus long rétrécit, puis passe à la ligne, puis coupe des mots ; s’il lui fallait moins de 5 points, il est refusé",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Nombre maximal de lignes ; par défaut : 3, ou 1 sans max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Part de sa taille à laquelle un texte rétrécit avant de passer à la ligne ; par défaut : 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Taille minimale en points : un texte qui devrait être plus petit est refusé ; par défaut : 5",
  "QR code of the verification URL; default: only in the built-in design":
    "Code QR de l’adresse de vérification ; par défaut : seulement dans le modèle intégré",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Durée du cours en heures, pour {hours} et les mentions du modèle intégré",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Crédits, comme 6 ECTS, pour {credits} et les mentions du modèle intégré",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "La personne qui signe, pour {signatory_name}, {signatory_title} et la ligne de signature du modèle intégré",
  "Name of the person who signs": "Nom de la personne qui signe",
  "Office of that person, such as Dean of Studies": "Fonction de cette personne, comme doyenne des études",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Les personnes qui signent, côte à côte à places.signatures ; par défaut : l’option signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "Le titre du document par langue, pour {title} et {second.title} ; par défaut : le type",
  "Labels by names of facts; default: those of the language":
    "Libellés par nom de mention ; par défaut : ceux de la langue",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Nom d’un fichier PNG, JPEG ou SVG : un logo ou blason, à places.logo ou en haut du modèle intégré",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Où se trouvent logo, mentions, signatures et sceau sur une page ; ce qui n’a pas de place n’est pas imprimé",
  "Images, above the template and below the texts": "Images, au-dessus de la page et sous les textes",
  "The page; a PDF template has its own": "La page ; un PDF a la sienne",
  "Paper size": "Format du papier",
  "Orientation of the page": "Orientation de la page",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "La couleur accent ; dans le modèle intégré, celle du cadre, du sceau et de l’émetteur",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Chiffre avec AES-256 : chacun peut ouvrir, imprimer et copier le document, mais personne ne peut le modifier ; exclut PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Durée de validité : une période depuis l’émission, comme P2Y, P18M ou P30D, ou le dernier jour, comme 2027-08-31 ; par défaut : toujours",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Combien de temps avant l’expiration les émissions renouvellent, comme P60D ; P0D : après l’expiration ; par défaut : aucun renouvellement",
  "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them":
    "Données sur la personne que la page publique de vérification indique, si le document les imprime : grade, completion, learner_id ; par défaut : aucune ; la page précise alors qu’elle ne les confirme pas",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Jours avant l’expiration où un courriel est envoyé ; par défaut : 60, 14, 1 ; [] : jamais",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Vos mots dans le courriel annonçant une attestation : texte d’au plus 2000 caractères, chaque ligne un paragraphe",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Ce que dit l’Open Badge outre ses mentions ; false : pas de badge",
  "What was achieved; default: the names of type and context":
    "Ce qui a été accompli ; par défaut : les noms du type et du cours",
  "What it takes to earn it; default: the names of type and context":
    "Ce qu’il faut pour l’obtenir ; par défaut : les noms du type et du cours",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Adresse d’une image de la réussite, que chacun peut charger : https://…",
  "Fraction 0..1 of the course that must be completed.": "Part du cours, de 0 à 1, à terminer.",
  "Whether the platform must consider the course as passed, as course_grade records say.":
    "Si la plateforme doit considérer le cours comme réussi, d’après les enregistrements course_grade.",
  'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".':
    "Note en lettres de la plateforme qui est exigée : celle-ci, ou une meilleure dans le barème du cours, par exemple « B ».",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Total est le total de la plateforme, au lieu de la somme pondérée des types de devoirs.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:':
    'Le texte ; écrivez {{ et }} pour les accolades, \\n pour une nouvelle ligne. Une partie entre retours à la ligne, " · " ou " | " est omise si l’un de ses champs est vide : "Note : {grade} · {hours} heures". Champs :',
  "{name} the learner's full name": "{name} nom complet de l’apprenant",
  "{context_name} the name of the course or learning path": "{context_name} nom du cours ou du parcours",
  "{issue_date} the day of issue": "{issue_date} jour d’émission",
  "{award_date} the day on which it was first issued, which a reissue keeps":
    "{award_date} jour de la première émission, conservé en cas de réémission",
  "{valid_until} the last day of its validity": "{valid_until} dernier jour de validité",
  "{verify_uuid} the verification UUID": "{verify_uuid} UUID de vérification",
  "{verify_url} the address of its verification page": "{verify_url} adresse de sa page de vérification",
  "{verify_short_url} the same to be typed, without https://":
    "{verify_short_url} la même, à taper, sans https://",
  "{credential_type} the name of the credential type": "{credential_type} nom du type d’attestation",
  "{title} the option titles in the document's language, or else the credential type":
    "{title} l’option titles dans la langue du document, sinon le type d’attestation",
  "{platform_name} the issuer's name": "{platform_name} nom de l’émetteur",
  "{grade} the total in the course, such as 92.35%": "{grade} total du cours, comme 92,35 %",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}":
    "{grade.<assignment type>} résultat d’un type de devoir, comme {grade.final}",
  "{completion} how much of the course was completed, such as 95%":
    "{completion} part du cours terminée, comme 95 %",
  "{steps} the number of courses in the learning path": "{steps} nombre de cours du parcours",
  "{hours} the option hours": "{hours} l’option hours",
  "{credits} the option credits": "{credits} l’option credits",
  "{learner_id} the learner_id of the learner's record": "{learner_id} learner_id de la fiche de l’apprenant",
  "{signatory_name} the name of the option signatory": "{signatory_name} nom de l’option signatory",
  "{signatory_title} the title of the option signatory": "{signatory_title} fonction de l’option signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}":
    "{learner.<key>} un attribut de la fiche de l’apprenant, comme {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record":
    "{enrollment.<key>} un attribut de la fiche d’inscription",
  "{words.<phrase>} a phrase in the document's language":
    "{words.<phrase>} une formule dans la langue du document",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option":
    "{second.<phrase>} de même dans la langue de l’option second_language, ainsi que {second.title} et {second.issue_date} ; rien sans cette option",
  "Left edge, in points from the left": "Bord gauche, en points depuis la gauche",
  "Lower edge, in points from the bottom": "Bord inférieur, en points depuis le bas",
  "Side in points": "Côté, en points",
  "Colour of the dark modules": "Couleur des modules sombres",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff":
    "Couleur de fond du code et de sa marge de quatre modules, ou false pour aucune ; par défaut sur une page de fond : #fff",
  "Slug of a PNG, JPEG or SVG asset": "Nom d’un fichier PNG, JPEG ou SVG",
  "In points; default: as the proportions require": "En points ; par défaut : selon les proportions",
  "Text alternative for people who can't see the image; without it, the image counts as decoration":
    "Texte pour qui ne voit pas l’image ; sans lui, l’image compte comme ornement",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures":
    "Nom d’un fichier PNG, JPEG ou SVG avec la signature, pour le modèle intégré et places.signatures",
  "A second language, for placeholders such as {second.title}":
    "Une seconde langue, pour des champs comme {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue":
    "Mentions que le modèle intégré imprime avec leurs libellés sur une ligne sous le cours ; sont omises celles sans valeur, et award_date le jour de l’émission",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there":
    "Nom d’un fichier PNG, JPEG ou SVG à places.seal, à la place du sceau qui y est dessiné",
  "Lines and ornaments, above the page and below everything else, in this order":
    "Traits et ornements, au-dessus de la page et sous tout le reste, dans cet ordre",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left":
    "Échanger la gauche et la droite sur un papier, dans une langue qui s’écrit de droite à gauche",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page":
    "Le format pour lequel valent les positions sur un papier : sur l’autre, elles sont déplacées en proportion ; par défaut : le format de la page",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of":
    "Langue du document, de ses dates, capitales et mots. Sur une page de fond, toute langue dont les formats de date sont connus ; sinon l’une de",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked":
    "true : échouer plutôt que produire un fichier qui n’est pas du PDF/A-3b. Il en est par défaut, sauf s’il est chiffré ou s’il utilise un PDF comme page de fond, dont les parties ne sont pas contrôlées",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path":
    "Genre de réussite ; par défaut : CertificateOfCompletion, ou LearningProgram pour un parcours",
  "Whether it states the grades and completion that earned the credential; default: false":
    "Indiquer les notes et la progression qui ont valu l’attestation ; par défaut : false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false":
    "Inclure l’empreinte salée de l’adresse de l’apprenant, à laquelle les portefeuilles de badges reconnaissent le titulaire ; par défaut : false",
  "Words by which the achievement is found": "Mots qui permettent de trouver la réussite",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads":
    "Compétences de référentiels comme ESCO, CASE ou CTDL auxquelles elle mène",
  Name: "Nom",
  "Address of its site: https://…": "Adresse de son site : https://…",
  "Who has defined the achievement, if somebody else than the issuer":
    "Qui a défini la réussite, si ce n’est pas l’émetteur",
  "Credits that it is worth, as a number: available, and earned with the badge":
    "Crédits, en nombre : ce que vaut la réussite et que le badge fait obtenir",
  "Field of study, such as Astronomy": "Domaine d’études, comme Astronomie",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.':
    'Part exigée, de 0 à 1, dans chaque type de devoir et dans "Total" : {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block":
    "Bloc auquel il appartient : l’un de blocks. Son y dit alors sa distance aux autres du bloc",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side":
    "line : de x et y à l’angle opposé ; rosette : des ellipses qui tournent autour du centre ; guilloche : une tresse d’ondes le long du grand côté",
  "In points; for a line, how far it goes to the right":
    "En points ; pour un trait, de combien il va vers la droite",
  "In points; for a line, how far it goes up": "En points ; pour un trait, de combien il monte",
  "Colour of its lines; without it, and without fill, ink":
    "Couleur de ses traits ; sans elle et sans fill : ink",
  "Width of its lines, in points": "Épaisseur de ses traits, en points",
  "Colour of its area": "Couleur de sa surface",
  "Radius of the corners of a rectangle": "Rayon des angles d’un rectangle",
  "Length of dashes, in points; 0.1 with a round end makes dots":
    "Longueur des tirets, en points ; 0.1 avec un bout rond fait des points",
  "Degrees by which it is turned about x and y, anticlockwise":
    "Degrés de rotation autour de x et y, dans le sens antihoraire",
  "Number of ellipses of a rosette": "Nombre d’ellipses d’une rosette",
  "Short axis of the ellipses, as a share of the long one": "Petit axe des ellipses, en part du grand",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y":
    "Pour un tracé : M, L, C et Z comme en SVG, en points à droite de x et au-dessus de y",
  "Colour of the text": "Couleur du texte",
  "Colour of what stands beside it in smaller letters": "Couleur de ce qui l’accompagne en plus petit",
  "Greatest width, in points": "Largeur maximale, en points",
  "Greatest height, in points": "Hauteur maximale, en points",
  "Where in this box a smaller logo stands": "Où se place dans ce cadre un logo plus petit",
  "Where the row is aligned, in points from the left": "Où la rangée est alignée, en points depuis la gauche",
  "Baseline of the values in the first row, in points from the bottom":
    "Ligne de base des valeurs de la première rangée, en points depuis le bas",
  "Width of a full row, in points": "Largeur d’une rangée pleine, en points",
  "Which point of each row is at x": "Quel point de chaque rangée est en x",
  "Greatest number of facts in a row": "Nombre maximal de mentions par rangée",
  "Where the labels stand": "Où se placent les libellés",
  "Colour of thin lines between the facts; default: none":
    "Couleur de filets entre les mentions ; par défaut : aucun",
  "Baseline of the names, in points from the bottom": "Ligne de base des noms, en points depuis le bas",
  "Width of the row, in points": "Largeur de la rangée, en points",
  "Which point of the row is at x, and where names stand in their columns":
    "Quel point de la rangée est en x, et où se placent les noms dans leurs colonnes",
  "Greatest height of the pictures, in points": "Hauteur maximale des images, en points",
  "Greatest width of a column, in points": "Largeur maximale d’une colonne, en points",
  "Colour of the line between picture and name; someone without a picture has no line":
    "Couleur du trait entre image et nom ; sans image, pas de trait",
  "Width and height, in points": "Largeur et hauteur, en points",
  "Colour of the seal that is drawn": "Couleur du sceau dessiné",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal":
    "Comment le sceau est dessiné, avec le nom de l’émetteur ; none : seulement l’image de l’option seal",
  "Upper end of its room, in points from the bottom":
    "Limite supérieure de son espace, en points depuis le bas",
  "Lower end of its room, in points from the bottom":
    "Limite inférieure de son espace, en points depuis le bas",
  "Where in its room the block stands; center is the optical one, a little higher":
    "Où le bloc se place dans son espace ; center est le centre optique, un peu plus haut",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink":
    "Groupes de ce qui porte ce nom comme block. Ils se resserrent là où une partie manque et font place aux textes plus longs ; si l’espace manque, les distances puis les textes rétrécissent",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible":
    "Ce qu’exige un renouvellement ; eligible : remplir les conditions aujourd’hui ; new_record : les remplir par les seuls résultats postérieurs à l’émission ; par défaut : eligible",
  "Name of the skill": "Nom de la compétence",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO":
    "Son adresse dans le référentiel : https://…, ou http://data.europa.eu/… d’ESCO",
  "What it is": "De quoi il s’agit",
  "Name of the framework": "Nom du référentiel",
  "Code by which the framework names it": "Code que lui donne le référentiel",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own":
    "Nature du nœud : ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, ou ext: et un mot à vous",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "Ce qu’impriment {issuer_name}, {issuer_contact} et {issuer_imprint} ; par défaut : ce qu’indique l’apparence des pages et courriels de l’émetteur",
  "Name of the issuer, as it is printed": "Nom de l’émetteur, tel qu’il est imprimé",
  "Where questions are answered: a mail address, or an address with https":
    "Où l’on répond aux questions : une adresse de courriel ou une adresse en https",
  "The page that says who is responsible by law: an address with https":
    "La page qui indique le responsable légal : une adresse en https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} nom en tête des pages et courriels de l’émetteur, sinon comme {platform_name}",
  "{issuer_contact} where the issuer answers questions":
    "{issuer_contact} où l’émetteur répond aux questions",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} adresse des mentions légales de l’émetteur, sans https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "Largeur laissée libre au milieu d’une rangée centrée, en points, par exemple pour un sceau",
};
