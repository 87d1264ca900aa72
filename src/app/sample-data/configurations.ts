import type { ClaimMode } from "#domain/configurations/credential-type.js";
import { courses, paths, type SampleCourse, type SamplePath } from "./academy.js";

interface SampleCredentialType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  readonly customOptions: Options;
}

interface SampleConfiguration {
  readonly learningContextKey: string;
  readonly credentialTypeName: string;
  /** Options that override those of the credential type, by deep merging. */
  readonly customOptions: Options;
  /** Learners can't claim the credential if omitted. */
  readonly claim?: ClaimMode;
}

/**
 * Requirements as fractions, and additional text to print. In a learning path, `steps` overrides the requirements of
 * individual courses, by course key.
 */
interface Options {
  readonly signatory?: { readonly name: string; readonly title: string };
  readonly facts?: readonly string[];
  readonly hours?: number;
  readonly required_grades?: Readonly<Record<string, number>>;
  readonly required_completion?: number;
  readonly steps?: Readonly<Record<string, Options>>;
}

const processors = "learning_credentials.processors";
const generationFunc = "learning_credentials.generators.generate_pdf_credential";

const signatory = { name: "Ingrid Fyrberg", title: "Keeper of the Light" };
const facts = ["grade", "hours", "award_date"];

export const sampleCredentialTypes: readonly SampleCredentialType[] = [
  {
    name: "Certificate of Achievement",
    retrievalFunc: `${processors}.retrieve_subsection_grades`,
    generationFunc,
    customOptions: { required_grades: { Final: 0.6, Total: 0.7 }, signatory, facts },
  },
  {
    name: "Certificate of Completion",
    retrievalFunc: `${processors}.retrieve_completions`,
    generationFunc,
    customOptions: { required_completion: 0.9, signatory },
  },
  {
    name: "Diploma",
    retrievalFunc: `${processors}.retrieve_completions_and_grades`,
    generationFunc,
    customOptions: { required_completion: 0.8, required_grades: { Total: 0.6 }, signatory },
  },
];

/** All configurations. The botany course has none, because it is only a step of a learning path. */
export const sampleConfigurations: readonly SampleConfiguration[] = [
  ofCourse(courses.nightSky, "Certificate of Achievement"),
  ofCourse(courses.nightSky, "Certificate of Completion"),
  ofCourse(courses.statistics, "Certificate of Achievement", {
    required_grades: { Total: 0.6 },
  }),
  { ...ofCourse(courses.weather, "Certificate of Completion"), claim: "allowed" },
  ofCourse(courses.navigation, "Certificate of Achievement", {
    required_grades: { Final: 0.65 },
  }),
  ofCourse(courses.bookbinding, "Certificate of Completion", { required_completion: 1 }),
  ofPath(paths.navigator, "Diploma", {
    steps: {
      [courses.navigation.courseKey]: {
        required_completion: 1,
        required_grades: { Final: 0.65, Total: 0.7 },
      },
    },
  }),
  ofPath(paths.curiousHands, "Certificate of Completion"),
];

function ofCourse({ courseKey, units }: SampleCourse, type: string, own: Options = {}): SampleConfiguration {
  return configuration(courseKey, type, { hours: units, ...own });
}

function ofPath({ pathKey, steps }: SamplePath, type: string, own: Options = {}): SampleConfiguration {
  return configuration(pathKey, type, { hours: steps.reduce((sum, { units }) => sum + units, 0), ...own });
}

function configuration(
  learningContextKey: string,
  credentialTypeName: string,
  customOptions: Options,
): SampleConfiguration {
  return { learningContextKey, credentialTypeName, customOptions };
}
