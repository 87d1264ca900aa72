/** What options are, by the service’s own words, line by line and without a list of codes at the end. */
const said = [
  "Slug of the asset to print on; default: the built-in design",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed",
  "Slug of the asset to print on when the context name has several lines",
  "Style of all text elements that don't set their own",
  "Slug of a font asset, or the name of a built-in family",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40",
  "Size in points",
  "Space added between letters, in points",
  "Whether to print in capitals, by the rules of the language",
  "Whether small letters are printed as small capitals, where the font has them",
  "Line spacing, as a multiple of the size",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y",
  "Position in points from the left; default: the middle of the page",
  "Baseline of the first line, in points from the bottom",
  "Which point of each line is at x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5",
  "QR code of the verification URL; default: only in the built-in design",
  "Duration of the course in hours, for {hours} and the facts of the built-in design",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design",
  "Name of the person who signs",
  "Office of that person, such as Dean of Studies",
  "The people who sign, side by side at places.signatures; default: the option signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type",
  "Labels by names of facts; default: those of the language",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed",
  "Images, above the template and below the texts",
  "The page; a PDF template has its own",
  "Paper size",
  "Orientation of the page",
  "The colour accent; in the built-in design, that of frame, seal and issuer",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph",
  "What the Open Badge of a credential says beside its facts; false: no badge",
  "What was achieved; default: the names of type and context",
  "What it takes to earn it; default: the names of type and context",
  "Address of a picture of the achievement, which everybody can load: https://…",
  "Fraction 0..1 of the course that must be completed.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:',
  "{name} the learner's full name",
  "{context_name} the name of the course or learning path",
  "{issue_date} the day of issue",
  "{award_date} the day on which it was first issued, which a reissue keeps",
  "{valid_until} the last day of its validity",
  "{verify_uuid} the verification UUID",
  "{verify_url} the address of its verification page",
  "{verify_short_url} the same to be typed, without https://",
  "{credential_type} the name of the credential type",
  "{title} the option titles in the document's language, or else the credential type",
  "{platform_name} the issuer's name",
  "{grade} the total in the course, such as 92.35%",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}",
  "{completion} how much of the course was completed, such as 95%",
  "{steps} the number of courses in the learning path",
  "{hours} the option hours",
  "{credits} the option credits",
  "{learner_id} the learner_id of the learner's record",
  "{signatory_name} the name of the option signatory",
  "{signatory_title} the title of the option signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record",
  "{words.<phrase>} a phrase in the document's language",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option",
  "Left edge, in points from the left",
  "Lower edge, in points from the bottom",
  "Side in points",
  "Colour of the dark modules",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff",
  "Slug of a PNG, JPEG or SVG asset",
  "In points; default: as the proportions require",
  "Text alternative for people who can't see the image; without it, the image counts as decoration",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures",
  "A second language, for placeholders such as {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there",
  "Lines and ornaments, above the page and below everything else, in this order",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path",
  "Whether it states the grades and completion that earned the credential; default: false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false",
  "Words by which the achievement is found",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads",
  "Name",
  "Address of its site: https://…",
  "Who has defined the achievement, if somebody else than the issuer",
  "Credits that it is worth, as a number: available, and earned with the badge",
  "Field of study, such as Astronomy",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side",
  "In points; for a line, how far it goes to the right",
  "In points; for a line, how far it goes up",
  "Colour of its lines; without it, and without fill, ink",
  "Width of its lines, in points",
  "Colour of its area",
  "Radius of the corners of a rectangle",
  "Length of dashes, in points; 0.1 with a round end makes dots",
  "Degrees by which it is turned about x and y, anticlockwise",
  "Number of ellipses of a rosette",
  "Short axis of the ellipses, as a share of the long one",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y",
  "Colour of the text",
  "Colour of what stands beside it in smaller letters",
  "Greatest width, in points",
  "Greatest height, in points",
  "Where in this box a smaller logo stands",
  "Where the row is aligned, in points from the left",
  "Baseline of the values in the first row, in points from the bottom",
  "Width of a full row, in points",
  "Which point of each row is at x",
  "Greatest number of facts in a row",
  "Where the labels stand",
  "Colour of thin lines between the facts; default: none",
  "Baseline of the names, in points from the bottom",
  "Width of the row, in points",
  "Which point of the row is at x, and where names stand in their columns",
  "Greatest height of the pictures, in points",
  "Greatest width of a column, in points",
  "Colour of the line between picture and name; someone without a picture has no line",
  "Width and height, in points",
  "Colour of the seal that is drawn",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal",
  "Upper end of its room, in points from the bottom",
  "Lower end of its room, in points from the bottom",
  "Where in its room the block stands; center is the optical one, a little higher",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible",
  "Name of the skill",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO",
  "What it is",
  "Name of the framework",
  "Code by which the framework names it",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own",
] as const;
/** What options are, by the service’s own words: those of these sentences that a language lacks are shown in English. */
export const words: Readonly<Record<string, string>> = {
  "Slug of the asset to print on; default: the built-in design":
    "Slug of the asset to print on; default: the built-in design",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed",
  "Slug of the asset to print on when the context name has several lines":
    "Slug of the asset to print on when the context name has several lines",
  "Style of all text elements that don't set their own":
    "Style of all text elements that don't set their own",
  "Slug of a font asset, or the name of a built-in family":
    "Slug of a font asset, or the name of a built-in family",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40",
  "Size in points": "Size in points",
  "Space added between letters, in points": "Space added between letters, in points",
  "Whether to print in capitals, by the rules of the language":
    "Whether to print in capitals, by the rules of the language",
  "Whether small letters are printed as small capitals, where the font has them":
    "Whether small letters are printed as small capitals, where the font has them",
  "Line spacing, as a multiple of the size": "Line spacing, as a multiple of the size",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y",
  "Position in points from the left; default: the middle of the page":
    "Position in points from the left; default: the middle of the page",
  "Baseline of the first line, in points from the bottom":
    "Baseline of the first line, in points from the bottom",
  "Which point of each line is at x": "Which point of each line is at x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Share of its size to which a text shrinks before it wraps; default: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Least size in points: a text that would have to be smaller is refused; default: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "QR code of the verification URL; default: only in the built-in design",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Duration of the course in hours, for {hours} and the facts of the built-in design",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design",
  "Name of the person who signs": "Name of the person who signs",
  "Office of that person, such as Dean of Studies": "Office of that person, such as Dean of Studies",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "The people who sign, side by side at places.signatures; default: the option signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "The title of the document by language, for {title} and {second.title}; default: the credential type",
  "Labels by names of facts; default: those of the language":
    "Labels by names of facts; default: those of the language",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed",
  "Images, above the template and below the texts": "Images, above the template and below the texts",
  "The page; a PDF template has its own": "The page; a PDF template has its own",
  "Paper size": "Paper size",
  "Orientation of the page": "Orientation of the page",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "The colour accent; in the built-in design, that of frame, seal and issuer",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "What the Open Badge of a credential says beside its facts; false: no badge",
  "What was achieved; default: the names of type and context":
    "What was achieved; default: the names of type and context",
  "What it takes to earn it; default: the names of type and context":
    "What it takes to earn it; default: the names of type and context",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Address of a picture of the achievement, which everybody can load: https://…",
  "Fraction 0..1 of the course that must be completed.":
    "Fraction 0..1 of the course that must be completed.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says",
  "Name of the issuer, as it is printed": "Name of the issuer, as it is printed",
  "Where questions are answered: a mail address, or an address with https":
    "Where questions are answered: a mail address, or an address with https",
  "The page that says who is responsible by law: an address with https":
    "The page that says who is responsible by law: an address with https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}",
  "{issuer_contact} where the issuer answers questions":
    "{issuer_contact} where the issuer answers questions",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} the address of the issuer's legal notice, without https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "Width that stays free in the middle of a centred row, in points, as for a seal",
};

export type HelpsWording = Readonly<Record<(typeof said)[number], string>>;

export const words = Object.fromEntries(said.map((help) => [help, help])) as HelpsWording;
