import { canonicalTag } from "#foundation/text/language-tag.js";
import { unescapeHtml } from "#foundation/text/unescape-html.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { RecordPage, Scope } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { PullError } from "../driver/pull-error.js";
import { type MoodleAccount, SILENT_CAPABILITIES } from "./moodle-account.js";
import type { MoodleApi } from "./moodle-api.js";
import { type ActiveIds, listOptions, PAGE_SIZE } from "./moodle-learners.js";
import type { MoodleSettings } from "./moodle-settings.js";
import { accounts, gradeItems, users } from "./moodle-shapes.js";

/** Fields to request. Without this list, Moodle also computes groups, preferences and courses of each person. */
const FIELDS = "id,username,fullname,lastname,email,idnumber,roles";

/** Language packs whose suffix is a script instead of a country. */
const SCRIPTS: Readonly<Record<string, string>> = { sr_lt: "sr-Latn", sr_cr: "sr-Cyrl" };

interface Parts {
  readonly api: MoodleApi;
  readonly account: MoodleAccount;
  readonly activeIds: ActiveIds;
  readonly settings: Pick<MoodleSettings, "roles">;
}

/**
 * Reads a page of enrolments. Only an empty page ends the list, because Moodle leaves out users whom the service user
 * may not see.
 */
export async function enrolmentsPage(parts: Parts, cursor: string | null, scope: Scope): Promise<RecordPage> {
  const { api, account, activeIds, settings } = parts;
  const from = Number(cursor ?? 0);
  if (from === 0) await requireCompleteLists(account);
  const { value: listed, sentAt } = await listUsers(api, scope, from);
  if (listed.length === 0) {
    if (from === 0) await requireVisibleGroups(api, scope);
    return { requestedAt: sentAt, records: [], next: null };
  }
  const active = new Set(await activeIds(scope));
  const named = listed.flatMap((user) => (user.username ? [{ ...user, username: user.username }] : []));
  if (named.length === 0) {
    throw new PullError(
      "forbidden",
      "core_enrol_get_enrolled_users: Moodle returns no usernames. The user needs moodle/user:viewalldetails.",
    );
  }
  const learners = named.filter(
    (user) => user.roles?.some(({ shortname }) => settings.roles.includes(shortname)) ?? true,
  );
  const usable = await readUsableAccounts(
    api,
    learners.map(({ id }) => id),
  );
  const withState = learners.flatMap((user) => {
    const own = usable.get(user.id);
    return own ? [{ ...user, ...own }] : [];
  });
  const records = withState.flatMap(
    ({ id, username, email, fullname, idnumber, isUsable, locale }): PlainRecord[] => [
      {
        kind: "learner",
        username,
        ...(email !== undefined && { email }),
        fullName: unescapeHtml(fullname),
        isActive: isUsable,
        learnerId: idnumber,
        ...(locale !== undefined && { locale }),
      },
      {
        kind: "enrollment",
        username,
        learningContextKey: scope.contextKey,
        isActive: isUsable && active.has(id),
      },
    ],
  );
  return {
    requestedAt: sentAt,
    records,
    people: withState.map(({ id, username }) => ({ externalId: String(id), username })),
    next: String(from + PAGE_SIZE),
    ...leftOut({
      "account without a username": listed.length - named.length,
      "account in another role than those of learners": named.length - learners.length,
      "account for which Moodle does not report whether it is suspended": learners.length - withState.length,
    }),
  };
}

/** Lists users in the order of their ids. */
export function listUsers(api: MoodleApi, { externalId }: Scope, from: number) {
  const options = {
    onlyactive: 0,
    limitfrom: from,
    limitnumber: PAGE_SIZE,
    sortby: "id",
    sortdirection: "ASC",
    userfields: FIELDS,
  };
  return api.call("core_enrol_get_enrolled_users", { courseid: externalId, ...listOptions(options) }, users);
}

/** Checks the service user's capabilities. If one is missing, Moodle leaves people out of lists, without an error. */
async function requireCompleteLists(account: MoodleAccount): Promise<void> {
  const { missing } = await account.silent();
  const needed = [SILENT_CAPABILITIES.allGroups, SILENT_CAPABILITIES.people].filter((name) =>
    missing.includes(name),
  );
  if (needed.length === 0) return;
  throw new PullError(
    "forbidden",
    `core_enrol_get_enrolled_users: Moodle would omit learners. The user needs ${needed.join(", ")}.`,
  );
}

/**
 * Finds out whether a list is empty because the course has separate groups that the service user can't see. Only the
 * grades function reports that as an error.
 */
async function requireVisibleGroups(api: MoodleApi, { externalId }: Scope): Promise<void> {
  try {
    await api.call("gradereport_user_get_grade_items", { courseid: externalId, userid: 0 }, gradeItems);
  } catch (error) {
    if (!(error instanceof PullError) || error.code !== "notingroup") return;
    throw new PullError(
      "forbidden",
      "core_enrol_get_enrolled_users: the list is empty because the course has separate groups. " +
        `The user needs ${SILENT_CAPABILITIES.allGroups}.`,
    );
  }
}

interface Usable {
  readonly isUsable: boolean;
  /** Undefined if Moodle reports no valid language tag. */
  readonly locale: string | undefined;
}

/** Reads accounts, by id. They are needed because participant lists don't show whether an account is suspended. */
async function readUsableAccounts(
  api: MoodleApi,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Usable>> {
  if (ids.length === 0) return new Map();
  const args = Object.fromEntries(ids.map((id, index) => [`values[${index}]`, id]));
  const { value } = await api.call("core_user_get_users_by_field", { field: "id", ...args }, accounts);
  const states = value.flatMap(({ id, suspended, confirmed, lang }) => {
    if (suspended === undefined) return [];
    const isUsable = !suspended && (confirmed === undefined || Number(confirmed) === 1);
    const locale = canonicalTag(SCRIPTS[lang ?? ""] ?? lang?.replaceAll("_", "-") ?? "");
    return [[id, { isUsable, locale }] as const];
  });
  if (states.length === 0) {
    throw new PullError(
      "forbidden",
      "core_user_get_users_by_field: Moodle does not report who is suspended. The user needs moodle/user:viewdetails and " +
        "moodle/user:viewhiddendetails.",
    );
  }
  return new Map(states);
}
