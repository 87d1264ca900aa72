import type { Person } from "../../learners/connector-people.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import { localeOf } from "../driver/locale-of.js";
import { PullError } from "../driver/pull-error.js";
import type { EdxApi } from "./edx-api.js";
import { preferencesPath } from "./edx-paths.js";
import type { EdxSettings } from "./edx-settings.js";
import { accounts, preferences } from "./edx-shapes.js";

/** Accounts, both as records and as pairs of id and username. */
interface Accounts {
  readonly records: PlainRecord[];
  readonly people: Person[];
}

/** Maximum number of usernames per request. Longer lists would make the URL too long. */
const NAMES_PER_REQUEST = 50;

export function isRetired(username: string): boolean {
  return username.startsWith("retired__user_");
}

/** Reads accounts by username. Leaves out unknown usernames. */
export function readAccounts(
  api: EdxApi,
  settings: EdxSettings,
  usernames: readonly string[],
): Promise<Accounts> {
  const queries: string[] = [];
  for (let start = 0; start < usernames.length; start += NAMES_PER_REQUEST) {
    const names = usernames.slice(start, start + NAMES_PER_REQUEST);
    queries.push(`username=${names.map(encodeURIComponent).join(",")}`);
  }
  return readAll(api, settings, queries);
}

/** Reads accounts one by one, because the LMS has no list by id. */
export function readAccountsById(
  api: EdxApi,
  settings: EdxSettings,
  ids: readonly string[],
): Promise<Accounts> {
  const queries = ids.map((id) => `lms_user_id=${encodeURIComponent(id)}`);
  return readAll(api, settings, queries);
}

async function readAll(api: EdxApi, settings: EdxSettings, queries: readonly string[]): Promise<Accounts> {
  const all: Accounts = { records: [], people: [] };
  for (const query of queries) {
    const { records, people } = await requestAccounts(api, settings, query);
    all.records.push(...records);
    all.people.push(...people);
  }
  return all;
}

async function requestAccounts(api: EdxApi, settings: EdxSettings, query: string): Promise<Accounts> {
  const apiAnswer = await api.get("accounts", `/api/user/v1/accounts?${query}`, accounts).catch((error) => {
    if (error instanceof PullError && error.fault === "missing") return { value: [] }; // the LMS knows none of them
    throw error;
  });
  const notRetired = apiAnswer.value.filter(({ username }) => !isRetired(username));
  if (notRetired.some(({ is_active }) => is_active === undefined)) {
    const text =
      "accounts: the LMS does not report whether accounts are active. The user of the application must be staff.";
    throw new PullError("forbidden", text);
  }
  const languages = settings.languages ? await readLanguages(api, notRetired) : new Map<string, string>();
  return {
    people: notRetired.map(({ id, username }) => ({ externalId: String(id), username })),
    records: notRetired.map((account) => {
      const verified = settings.names === "verified_or_profile" ? account.verified_name : undefined;
      return {
        kind: "learner" as const,
        username: account.username,
        ...(typeof account.email === "string" && { email: account.email }),
        fullName: verified || (account.name ?? ""),
        isActive: account.is_active === true,
        locale: languages.get(account.username) ?? "",
      };
    }),
  };
}

/** Reads languages one by one, because the LMS has no list of preferences. */
async function readLanguages(
  api: EdxApi,
  users: readonly { readonly username: string }[],
): Promise<ReadonlyMap<string, string>> {
  const languages = new Map<string, string>();
  for (const { username } of users) languages.set(username, await readLanguage(api, username));
  return languages;
}

/** Returns the learner's language, or an empty string if the learner has chosen none. */
export async function readLanguage(api: EdxApi, username: string): Promise<string> {
  const { value } = await api.get("preferences", preferencesPath(username), preferences);
  return localeOf(value["pref-lang"]);
}
