import { keyedCourses } from "../driver/course-keys.js";
import type { Lookups, RecordPage } from "../driver/driver.js";
import type { CanvasApi } from "./canvas-api.js";
import { coursesPath, endpoints } from "./canvas-endpoints.js";
import type { CanvasSettings } from "./canvas-settings.js";
import { courses } from "./canvas-shapes.js";
import type { GradingSchemes } from "./grading-schemes.js";

export async function coursesPage(
  api: CanvasApi,
  settings: CanvasSettings,
  cursor: string | null,
  lookups: Pick<Lookups, "keysOf">,
  schemes: Pick<GradingSchemes, "learn">,
): Promise<RecordPage & { readonly date: Date | undefined }> {
  const { value, sentAt, date, next } = await api.get(
    endpoints.courses,
    cursor ?? coursesPath(settings),
    courses,
  );
  const open = value.filter(({ workflow_state }) => ["available", "completed"].includes(workflow_state));
  for (const { id, grading_standard_id } of open) schemes.learn(id, grading_standard_id);
  const named = open.map(({ id, name, course_code }) => {
    const shortName = course_code ?? "";
    return { id, shortName, displayName: (name ?? "") || shortName || id };
  });
  const contexts = await keyedCourses(named, settings.organisation, lookups);
  return { requestedAt: sentAt, records: [], next, contexts, date };
}
