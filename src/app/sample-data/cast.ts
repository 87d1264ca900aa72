import { courses, paths } from "./academy.js";

/** A sample learner whose story illustrates a feature. */
export interface CastMember {
  readonly username: string;
  readonly learningContextKey: string;
  /** The type of the credential that the story is about. */
  readonly credentialTypeName: string;
  /** What happened to the learner: a sentence without its subject. */
  readonly story: string;
}

const inAstronomy = {
  learningContextKey: courses.nightSky.courseKey,
  credentialTypeName: "Certificate of Achievement",
} as const;

/** The learners with stories. Scores of learners are in `score-sheets.ts`. */
export const cast = {
  graduate: {
    username: "ana.kovac",
    ...inAstronomy,
    story: "passed with 92.35 % and has the certificate",
  },
  misprinted: {
    username: "jean.leguennec",
    ...inAstronomy,
    story: "passed, and got a certificate with a misspelt name, which was withdrawn",
  },
  nearMiss: {
    username: "jonas.lindqvist",
    ...inAstronomy,
    story: "has 69.8 % of the 70 % required",
  },
  onTheMark: {
    username: "ilgin.sahinbas",
    learningContextKey: courses.statistics.courseKey,
    credentialTypeName: "Certificate of Achievement",
    story: "has exactly the 60 % required, in the final and in total",
  },
  navigator: {
    username: "eleni.kastanou",
    learningContextKey: paths.navigator.pathKey,
    credentialTypeName: "Diploma",
    story: "completed every course of the learning path",
  },
  newcomer: {
    username: "tala.mansour",
    learningContextKey: paths.curiousHands.pathKey,
    credentialTypeName: "Certificate of Completion",
    story: "has an account and nothing else; only the open learning path lets her in",
  },
  nameless: {
    username: "guest.4711",
    ...inAstronomy,
    story: "passed, but gave no name to print on a certificate",
  },
  unprintable: {
    username: "tiziri.ameqran",
    ...inAstronomy,
    story: "passed, and has a name in Tifinagh, for which the built-in design has no font",
  },
} as const satisfies Record<string, CastMember>;

/** Callers who are not learners, in the form that `mintToken` accepts. They have no learner records. */
export const staffUser = { username: "registrar", isStaff: true } as const;
export const platformService = { username: "lms", scopes: ["learning_credentials:write"] } as const;
