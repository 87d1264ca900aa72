import type { Scope } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import type { CanvasApi } from "./canvas-api.js";
import { coursePath, endpoints, schemePath } from "./canvas-endpoints.js";
import { course, gradingStandard } from "./canvas-shapes.js";

/** The id of Canvas's default grading scheme, and its letter grades, which the API does not return. */
const DEFAULT_SCHEME = "0";
const DEFAULT_LETTERS = ["A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F"];

/** Knows which grading schemes courses have. */
export interface GradingSchemes {
  /** Stores the scheme of a course, taken from the list of courses. */
  learn(courseId: string, schemeId: string | null | undefined): void;
  /**
   * @returns letter grades, best first; empty if the course has none, or if the service's user may not see its scheme
   */
  lettersOf(scope: Scope): Promise<readonly string[]>;
}

export function createGradingSchemes(api: CanvasApi): GradingSchemes {
  /** Schemes by course, kept for the lifetime of this process. */
  const schemes = new Map<string, string>();

  async function schemeOf(courseId: string): Promise<string> {
    const known = schemes.get(courseId);
    if (known !== undefined) return known;
    const { value } = await api.get(endpoints.course, coursePath(courseId), course);
    return value.grading_standard_id ?? "";
  }

  async function read(courseId: string): Promise<readonly string[]> {
    const schemeId = await schemeOf(courseId);
    if (schemeId === "") return [];
    if (schemeId === DEFAULT_SCHEME) return DEFAULT_LETTERS;
    const { value } = await api.get(endpoints.scheme, schemePath(courseId, schemeId), gradingStandard);
    return [...value.grading_scheme].sort((one, other) => other.value - one.value).map(({ name }) => name);
  }

  return {
    learn: (courseId, schemeId) => void schemes.set(courseId, schemeId ?? ""),
    // Without the scheme, a required letter grade is met only by the same letter, so nobody gets a credential too
    // easily.
    lettersOf: ({ externalId }) =>
      read(externalId).catch((error) => {
        const isOutOfReach =
          error instanceof PullError && (error.fault === "forbidden" || error.fault === "missing");
        if (isOutOfReach) return [];
        throw error;
      }),
  };
}

/**
 * Reads the scheme of a course as a sweep does.
 * @throws PullError if the service's user may not see it
 */
export async function checkScheme(api: CanvasApi, { externalId }: Scope): Promise<string> {
  const { value } = await api.get(endpoints.course, coursePath(externalId), course);
  const schemeId = value.grading_standard_id ?? "";
  if (schemeId === "") return "the first course has no grading scheme, and so no letter grades";
  if (schemeId === DEFAULT_SCHEME) return "the first course has the grading scheme of Canvas";
  const { value: scheme } = await api.get(
    endpoints.scheme,
    schemePath(externalId, schemeId),
    gradingStandard,
  );
  return `${scheme.grading_scheme.length} letter grades in the first course`;
}
