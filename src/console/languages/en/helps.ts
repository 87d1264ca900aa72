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
};

export type HelpsWording = typeof words;
