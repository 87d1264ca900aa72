export const words = {
  title: "Look of pages and mails",
  means:
    "Verification pages, mails and pages for learners show this name, colour and logo, and whom to ask. An organisation shows what the whole service has, unless it says otherwise. New documents with the generator of the service have logo and colour where a type leaves them open, and name, contact and legal notice where their design asks for them.",
  organisation: "Organisation",
  wholeService: "The whole service",
  another: "Another organisation…",
  organisationCode: "Code of the organisation",
  organisationCodeMeans: "As in the keys of its courses: Uni in course-v1:Uni+Course+2026.",
  nameMeans: "Stands over pages and mails. Who issued a credential is not changed by it.",
  accent: "Colour of links and buttons",
  accentMeans: "Such as #1f5468. It is made darker or lighter where it could not be read.",
  pickColour: "Pick the colour",
  logoMeans: "A PNG or JPEG among the files of designs, of at most 200 KB. Mails carry it along.",
  noLogo: "No logo",
  asService: "As the whole service",
  contactMeans: "A mail address, or an address with https.",
  imprintMeans: "The page that says who is responsible by law, with https.",
  saved: "Saved. Pages show it within ten seconds.",
  mail: "What learners get by mail",
  mailKind: "Mail",
  subject: "Subject",
  heading: "Heading",
  introduction: "Text after the greeting",
  mailPlaceholders: "What is empty says the words shown in grey. Each line is a paragraph. You can name:",
  usualWords: "Back to the usual words",
  asSent: "As learners get it",
  /** By `MailKind`. */
  mailKinds: {
    1: "It is available",
    2: "It expires soon",
    3: "It was withdrawn",
  } as Readonly<Record<number, string>>,
  language: "Language of the reader",
  tryWords: "Words of yours",
  tryWordsMean:
    "To try. To send them, put them into the option for mails of a type or of what a course offers.",
};

/** About the look of pages and mails of an organisation. */
export type BrandingWording = typeof words;
