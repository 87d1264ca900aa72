import type { Scope } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import type { CanvasApi } from "./canvas-api.js";
import { coursePath, endpoints, schemePath } from "./canvas-endpoints.js";
import { course, gradingStandard } from "./canvas-shapes.js";

/** Canvas's default grading scheme. The API does not return its letter grades, so they are listed here. */
const DEFAULT_SCHEME = "0";
const DEFAULT_LETTERS = ["A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F"];

export interface GradingSchemes {
  /** Remembers the scheme of a course. @param schemeId from the list of courses */
  learn(courseId: string, schemeId: string | null | undefined): void;
  /**
   * Returns letter grades, best first. Returns none if the course has no scheme, or if the service user may not see it.
   */
  lettersOf(scope: Scope): Promise<readonly string[]>;
}

export function createGradingSchemes(api: CanvasApi): GradingSchemes {
  /** Schemes by course, for the lifetime of this process. */
  const schemes = new Map<string, string>();

  async function schemeOf(courseId: string): Promise<string> {
    const cached = schemes.get(courseId);
    if (cached !== undefined) return cached;
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
    // Without the scheme, only exactly the required letter meets a requirement. Higher letters don't meet it, but no
    // lower letter is accepted by mistake.
    lettersOf: ({ externalId }) =>
      read(externalId).catch((error) => {
        const isOutOfReach =
          error instanceof PullError && (error.fault === "forbidden" || error.fault === "missing");
        if (isOutOfReach) return [];
        throw error;
      }),
  };
}

/** @throws PullError if the service user may not see the scheme */
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
