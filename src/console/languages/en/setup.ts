export const words = {
  title: "First steps",
  /** Said by screen readers after a step. */
  done: "(done)",
  stepCourse: "Have a course: connect the platform that teaches it, or make one here.",
  stepDesign: "Design a credential: begin with one of the designs.",
  stepOffer: "Offer the credential in the course.",
  stepIssue: "Issue to a first learner. A list with one name is enough.",
  design: "Design a credential",
  toTypes: "Offer a credential",
  newCourse: "Make a course…",
  name: "Name",
  nameMeans: "Credentials print it.",
  organisation: "Organisation",
  organisationMeans: "A short name, such as Uni. Who may see the course can depend on it.",
  edition: "Edition",
  editionMeans: "Tells courses of one name apart: a year, or a term.",
  forPrograms: "For programs",
  code: "Code",
  codeMeans: "Empty: made from the name. Letters, digits and - _ ~ . :",
  key: "Key:",
  courseMeans:
    "For courses that no platform tells of. Its learners come from a list. If a platform tells of it later, what the platform tells counts.",
  make: "Make the course",
  made: "There is a course now:",
  madeMeans: "Offer a credential in it next. Then issue to the learners of a list.",
  connect: "Connect a platform…",
  connectMeans:
    "Whoever runs the service connects Open edX, Moodle or Canvas: the page “Connectors” of the documentation says how. These commands check it, and show what would be read:",
  importMeans: "Records of any other program are read from a file:",
  figures: {
    title: "Figures",
    means:
      "How much happened each day. Nobody is counted apart. Downloads and verifications are counted since this version runs.",
    save: "Save as CSV",
    day: "Day",
    period: "Period",
    lastDays: "The last {number} days",
    shown: "Shown",
    none: "Nothing happened in this time.",
    sums: "Sums",
    byOffer: "By offer",
    offer: "Offer",
    kinds: {
      issued: "Issued",
      mailed: "Mailed",
      downloaded: "Downloaded",
      verified: "Verified",
      withdrawn: "Invalidated",
    },
  },
};

/** About first steps, courses that are made here, and figures. */
export type SetupWording = typeof words;
