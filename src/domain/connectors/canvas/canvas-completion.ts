import type { PlainRecord } from "../../learners/plain-record.js";
import { completionRecord } from "../driver/course-total.js";
import type { Lookups, RecordPage, Scope } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { PullError } from "../driver/pull-error.js";
import { type CanvasApi, NOT_MODULE_BASED } from "./canvas-api.js";
import { bulkProgressPath, endpoints, progressPath } from "./canvas-endpoints.js";
import { unpublishedIn } from "./canvas-modules.js";
import { bulkProgress, progress } from "./canvas-shapes.js";

/**
 * Reads the share of module requirements that learners have met. For a course without such requirements, returns no
 * records.
 */
export async function completionPage(
  api: CanvasApi,
  cursor: string | null,
  scope: Scope,
  lookups: Pick<Lookups, "usernamesOf">,
): Promise<RecordPage> {
  const requestedAt = new Date();
  const withheld = cursor === null ? await unpublishedIn(api, scope) : "";
  if (withheld !== "") return { requestedAt, records: [], next: null, hasNoCompletion: true, withheld };
  const apiAnswer = await orWithoutModules(
    api.get(endpoints.bulkProgress, cursor ?? bulkProgressPath(scope), bulkProgress),
  );
  if (!apiAnswer) return { requestedAt, records: [], next: null, hasNoCompletion: true };
  const { value, next } = apiAnswer;
  const names = await lookups.usernamesOf(value.map(({ id }) => id));
  const users = value.flatMap(({ id, progress: of }) => {
    const username = names.get(id);
    return username === undefined ? [] : [{ username, percent: percentOf(of) }];
  });
  const records = users.flatMap(({ username, percent }) =>
    percent === undefined ? [] : [completionRecord(username, scope, percent)],
  );
  return {
    requestedAt,
    records,
    next,
    ...leftOut({ "learner whose progress Canvas can't report": users.length - records.length }),
  };
}

async function orWithoutModules<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error) => {
    if (error instanceof PullError && error.code === NOT_MODULE_BASED) return undefined;
    throw error;
  });
}

function percentOf({
  requirement_count: all,
  requirement_completed_count: done,
}: (typeof progress)["_output"]): number | undefined {
  if (all === undefined || done === undefined) return undefined;
  return all <= 0 ? 0 : done / all;
}

/** Returns no records if Canvas reports no completion. */
export async function completionOf(
  api: CanvasApi,
  id: string,
  username: string,
  scope: Scope,
): Promise<PlainRecord[]> {
  if ((await unpublishedIn(api, scope)) !== "") return [];
  const own = await orWithoutModules(api.get(endpoints.progress, progressPath(scope, id), progress));
  const percent = own && percentOf(own.value);
  return percent === undefined ? [] : [completionRecord(username, scope, percent)];
}
