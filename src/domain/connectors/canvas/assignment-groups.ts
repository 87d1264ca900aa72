import { TOTAL_TYPE } from "#foundation/text/total-type.js";
import { isPartName } from "../driver/course-total.js";
import type { Scope } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { WHOLE_LIST } from "../driver/read-json.js";
import type { CanvasApi } from "./canvas-api.js";
import { endpoints, groupsPath } from "./canvas-endpoints.js";
import { assignmentGroups } from "./canvas-shapes.js";
import type { DropRules } from "./drop-rules.js";

export interface AssignmentGroup {
  readonly id: string;
  /** Undefined if no requirement can use the group, because its name is unusable or not unique. */
  readonly type: string | undefined;
  /** In percent; 0 in courses without weights. */
  readonly weight: number;
  readonly rules: DropRules;
  /** Maximum points of each assignment that is part of the grade. */
  readonly possible: ReadonlyMap<string, number>;
}

export interface Groups {
  readonly all: readonly AssignmentGroup[];
  /** Why requirements can't use some groups; undefined if they can use all groups. */
  readonly withheld: string | undefined;
}

/** Maximum number of pages of assignment groups. No course has as many. */
const MAX_PAGES = 20;

/** Maximum number of groups. The database accepts up to a hundred entries in a grading policy. */
const MAX_GROUPS = 99;

/** Assignment types that Canvas's GradeCalculator ignores. */
const UNGRADED = new Set(["not_graded", "wiki_page"]);

export type GroupsReader = (scope: Scope) => Promise<Groups>;

export async function readGroups(api: CanvasApi, scope: Scope): Promise<Groups> {
  const listed: (typeof assignmentGroups)["_output"] = [];
  let path: string | null = groupsPath(scope);
  for (let page = 0; path !== null && page < MAX_PAGES; page++) {
    const { value, next }: { value: typeof listed; next: string | null } = await api.get(
      endpoints.groups,
      path,
      assignmentGroups,
      WHOLE_LIST,
    );
    listed.push(...value);
    path = next;
  }
  if (path !== null) {
    const text = `${endpoints.groups.name}: the list has more than ${MAX_PAGES} pages, which is the maximum.`;
    throw new PullError("excessive", text);
  }
  const names = listed.map(({ name }) => typeOf(name));
  const taken = (name: string) => names.filter((other) => other === name).length > 1;
  const isTooMany = listed.length > MAX_GROUPS;
  const refused = names.filter((name) => isTooMany || !isPartName(name) || taken(name));
  return {
    all: listed.map(({ id, group_weight, rules, assignments }, index) => {
      if (!assignments) throw includesStripped(endpoints.groups.name);
      const counted = assignments.filter(
        ({ published, omit_from_final_grade, submission_types }) =>
          published && !omit_from_final_grade && !submission_types.some((type) => UNGRADED.has(type)),
      );
      const type = names[index] ?? "";
      return {
        id,
        type: refused.includes(type) ? undefined : type,
        weight: group_weight ?? 0,
        rules: {
          lowest: rules?.drop_lowest ?? 0,
          highest: rules?.drop_highest ?? 0,
          never: new Set(rules?.never_drop ?? []),
        },
        possible: new Map(counted.map((one) => [one.id, one.points_possible ?? 0])),
      };
    }),
    withheld:
      refused.length === 0
        ? undefined
        : `${new Set(refused).size} names of assignment groups can't be required: give each group a different name, ` +
          `other than “total” and “${TOTAL_TYPE}”${isTooMany ? `, and have at most ${MAX_GROUPS}` : ""}`,
  };
}

function typeOf(name: string): string {
  return name.trim().toLowerCase();
}

/** Returns the error for a developer key that enforces scopes. With such a key, Canvas silently ignores `include[]`. */
export function includesStripped(endpoint: string): PullError {
  const text = `${endpoint}: Canvas ignores the parameter include[]. Tick “Allow Include Parameters” in the developer key.`;
  return new PullError("forbidden", text);
}
