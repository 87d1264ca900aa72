import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nom du fichier sur lequel imprimer ; par défaut : le modèle intégré",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Couleur d’une page vide où ces options placent tout ; sans elle et sans page à imprimer, le modèle intégré est imprimé",
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
    "Durée du cours en heures, pour {hours} et les faits du modèle intégré",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Crédits, comme 6 ECTS, pour {credits} et les faits du modèle intégré",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "La personne qui signe, pour {signatory_name}, {signatory_title} et la ligne de signature du modèle intégré",
  "Name of the person who signs": "Nom de la personne qui signe",
  "Office of that person, such as Dean of Studies": "Fonction de cette personne, comme doyenne",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Les personnes qui signent, côte à côte à places.signatures ; par défaut : l’option signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "Le titre du document par langue, pour {title} et {second.title} ; par défaut : le type",
  "Labels by names of facts; default: those of the language":
    "Libellés par nom de fait ; par défaut : ceux de la langue",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Nom d’un fichier PNG, JPEG ou SVG : un logo ou blason, à places.logo ou en haut du modèle intégré",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Où se trouvent logo, faits, signatures et sceau sur une page ; ce qui n’a pas de place n’est pas imprimé",
  "Images, above the template and below the texts": "Images, au-dessus de la page et sous les textes",
  "The page; a PDF template has its own": "La page ; un PDF a la sienne",
  "Paper size": "Format du papier",
  "Orientation of the page": "Orientation de la page",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "La couleur accent ; dans le modèle intégré, celle du cadre, du sceau et de l’émetteur",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Chiffre avec AES-256 : chacun peut ouvrir, imprimer et copier le document, mais personne le changer ; exclut PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Durée de validité : une période depuis l’émission, comme P2Y, P18M ou P30D, ou le dernier jour, comme 2027-08-31 ; par défaut : toujours",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Combien de temps avant l’expiration les émissions renouvellent, comme P60D ; P0D : après l’expiration ; par défaut : aucun renouvellement",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Jours avant l’expiration où un courriel est envoyé ; par défaut : 60, 14, 1 ; [] : jamais",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Vos mots dans le courriel annonçant une attestation : texte d’au plus 2000 caractères, chaque ligne un paragraphe",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Ce que dit l’Open Badge outre ses faits ; false : pas de badge",
  "What was achieved; default: the names of type and context":
    "Ce qui a été accompli ; par défaut : les noms du type et du cours",
  "What it takes to earn it; default: the names of type and context":
    "Ce qu’il faut pour l’obtenir ; par défaut : les noms du type et du cours",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Adresse d’une image de la réussite, que chacun peut charger : https://…",
  "Fraction 0..1 of the course that must be completed.": "Part du cours, de 0 à 1, à terminer.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Total est le total de la plateforme, au lieu de la somme pondérée des types de devoirs.",
};
