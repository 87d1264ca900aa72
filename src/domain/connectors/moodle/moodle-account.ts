import type { z } from "zod";
import { memoized } from "#foundation/concurrency/memoized.js";
import { PullError } from "../driver/pull-error.js";
import type { MoodleApi } from "./moodle-api.js";
import { holders, siteInfo } from "./moodle-shapes.js";

/** Without these capabilities, Moodle leaves out data without an error, so the response looks complete. */
export const SILENT_CAPABILITIES = {
  hiddenGrades: "moodle/grade:viewhidden",
  allGroups: "moodle/site:accessallgroups",
  people: "moodle/user:viewdetails",
};

/** The id of the front page, a course in which everyone is enrolled with their site-wide roles. */
export const FRONT_PAGE = 1;

/** Maximum number of users with a capability in one response. */
const PAGE = 500;

export interface MoodleAccount {
  site(): Promise<z.output<typeof siteInfo>>;
  /** Returns the capabilities that the user lacks site-wide. @throws PullError if Moodle doesn't report them */
  lacks(capabilities: readonly string[]): Promise<string[]>;
  /** Returns the `SILENT_CAPABILITIES` that the user lacks. If they can't be checked, `unseen` explains why. */
  silent(): Promise<{ readonly missing: readonly string[]; readonly unseen?: string }>;
}

export function createMoodleAccount(api: MoodleApi): MoodleAccount {
  const site = memoized(async () => (await api.call("core_webservice_get_site_info", {}, siteInfo)).value);
  const notGranted = memoized(findLacking, { keyOf: (capabilities) => capabilities.join(), limit: 10 });
  return {
    site,
    lacks: notGranted,
    async silent() {
      try {
        return { missing: await notGranted(Object.values(SILENT_CAPABILITIES)) };
      } catch (error) {
        if (!(error instanceof PullError) || !["forbidden", "missing"].includes(error.fault)) throw error;
        return { missing: [], unseen: error.message };
      }
    },
  };

  async function findLacking(capabilities: readonly string[]): Promise<string[]> {
    const { userid, userissiteadmin } = await site();
    if (userissiteadmin) return []; // administrators have all capabilities, but are not listed
    const { value } = await api.call(
      "core_enrol_get_enrolled_users_with_capability",
      {
        "coursecapabilities[0][courseid]": FRONT_PAGE,
        ...Object.fromEntries(
          capabilities.map((name, index) => [`coursecapabilities[0][capabilities][${index}]`, name]),
        ),
        "options[0][name]": "userfields",
        "options[0][value]": "id",
        "options[1][name]": "limitnumber",
        "options[1][value]": PAGE,
      },
      holders,
    );
    return capabilities.filter((name) => {
      const listed = value.find(({ capability }) => capability === name)?.users ?? [];
      if (listed.some(({ id }) => id === userid)) return false;
      // The list is ordered by id. If it is full and ends before the user's id, the user is assumed to have the
      // capability.
      return listed.length < PAGE || (listed.at(-1)?.id ?? 0) > userid;
    });
  }
}
