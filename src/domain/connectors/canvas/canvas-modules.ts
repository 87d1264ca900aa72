import type { z } from "zod";
import type { Scope } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { includesStripped } from "./assignment-groups.js";
import type { CanvasAnswer, CanvasApi } from "./canvas-api.js";
import { endpoints, modulesPath } from "./canvas-endpoints.js";
import { modules } from "./canvas-shapes.js";

/** Maximum number of pages, each with a hundred modules. */
const MAX_PAGES = 20;

/**
 * Describes the module requirements that are not published yet; empty if there are none. Canvas leaves them out of
 * learners' progress. A learner who has done everything published in the first week would therefore seem to have
 * completed the course.
 * @throws PullError `forbidden` if the service user can't see unpublished modules
 */
export async function unpublishedIn(api: CanvasApi, scope: Scope): Promise<string> {
  const { name, needs } = endpoints.modules;
  let coming = 0;
  let path: string | null = modulesPath(scope);
  for (let page = 0; path !== null; page++) {
    if (page >= MAX_PAGES)
      throw new PullError("excessive", `${name}: the course has more than ${MAX_PAGES} pages of modules.`);
    const answer: CanvasAnswer<z.output<typeof modules>> = await api.get(endpoints.modules, path, modules);
    const { value } = answer;
    for (const { published, items, items_count = 0 } of value) {
      if (published === undefined) {
        const text = `${name}: Canvas hides unpublished modules. The role of the service's user needs ${needs}.`;
        throw new PullError("forbidden", text);
      }
      if (!items && items_count > 0 && value.every((one) => !one.items)) throw includesStripped(name);
      // Canvas omits the items of very long modules. In an unpublished module, each omitted item is counted, because it
      // may be a requirement.
      if (!items) coming += published ? 0 : items_count;
      for (const item of items ?? [])
        if (item.completion_requirement && !(published && (item.published ?? true))) coming++;
    }
    path = answer.next;
  }
  if (coming === 0) return "";
  return `completion: ${coming} requirements of modules are not published yet, and Canvas leaves them out: publish or delete them`;
}
