import { courses, paths } from "./academy.js";

export interface SampleCredentialType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  readonly customOptions: Options;
}

export interface SampleConfiguration {
  readonly learningContextKey: string;
  readonly credentialTypeName: string;
  /** Merged deeply over the type's. */
  readonly customOptions: Options;
}

/** What must be reached, as fractions; for a learning path also by course key, in place of the rest. */
interface Options {
  readonly required_grades?: Readonly<Record<string, number>>;
  readonly required_completion?: number;
  readonly steps?: Readonly<Record<string, Options>>;
}

const processors = "learning_credentials.processors";
const generationFunc = "learning_credentials.generators.generate_pdf_credential";

export const sampleCredentialTypes: readonly SampleCredentialType[] = [
  {
    name: "Certificate of Achievement",
    retrievalFunc: `${processors}.retrieve_subsection_grades`,
    generationFunc,
    customOptions: { required_grades: { Final: 0.6, Total: 0.7 } },
  },
  {
    name: "Certificate of Completion",
    retrievalFunc: `${processors}.retrieve_completions`,
    generationFunc,
    customOptions: { required_completion: 0.9 },
  },
  {
    name: "Diploma",
    retrievalFunc: `${processors}.retrieve_completions_and_grades`,
    generationFunc,
    customOptions: { required_completion: 0.8, required_grades: { Total: 0.6 } },
  },
];

/** Botany is offered without a credential of its own: it counts only as a step. */
export const sampleConfigurations: readonly SampleConfiguration[] = [
  configuration(courses.nightSky.courseKey, "Certificate of Achievement"),
  configuration(courses.nightSky.courseKey, "Certificate of Completion"),
  configuration(courses.statistics.courseKey, "Certificate of Achievement", {
    required_grades: { Total: 0.6 },
  }),
  configuration(courses.weather.courseKey, "Certificate of Completion"),
  configuration(courses.navigation.courseKey, "Certificate of Achievement", {
    required_grades: { Final: 0.65 },
  }),
  configuration(courses.bookbinding.courseKey, "Certificate of Completion", { required_completion: 1 }),
  configuration(paths.navigator.pathKey, "Diploma", {
    steps: {
      [courses.navigation.courseKey]: {
        required_completion: 1,
        required_grades: { Final: 0.65, Total: 0.7 },
      },
    },
  }),
  configuration(paths.curiousHands.pathKey, "Certificate of Completion"),
];

function configuration(
  learningContextKey: string,
  credentialTypeName: string,
  customOptions: Options = {},
): SampleConfiguration {
  return { learningContextKey, credentialTypeName, customOptions };
}
