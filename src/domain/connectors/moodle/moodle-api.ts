import type { z } from "zod";
import { isObject } from "#foundation/text/is-object.js";
import type { AnswerBounds } from "#foundation/text/read-bounded-json.js";
import { parseResponse } from "../driver/parse-response.js";
import type { PoliteClient } from "../driver/polite-client.js";
import { PullError, type PullFault } from "../driver/pull-error.js";
import { readSecret, shownName } from "../driver/secret.js";
import type { MoodleSettings } from "./moodle-settings.js";

export interface MoodleApi {
  /** @param bounds size limits of the response; default: those of a page */
  call<T>(
    name: string,
    args: Readonly<Record<string, string | number>>,
    shape: z.ZodType<T>,
    bounds?: AnswerBounds,
  ): Promise<{ readonly value: T; readonly sentAt: Date }>;
}

/** The fault for each of Moodle's error codes. Responses with error codes have status 200, too. */
const faults: Readonly<Record<string, PullFault>> = {
  invalidtoken: "auth",
  accessexception: "forbidden",
  nopermissions: "forbidden",
  nopermissiontoviewgrades: "forbidden",
  requireloginerror: "forbidden",
  errorcoursecontextnotvalid: "forbidden",
  cannotviewreport: "forbidden",
  servicenotavailable: "forbidden",
  invalidrecord: "missing",
};

/** Error codes after which the request is retried, for example because of maintenance, a database outage or a lock. */
const RETRYABLE_CODE = /^(sitemaintenance|dbconnectionfailed|dml\w*|ddl\w*|ex_unabletolock)$/;

/** A web service function. Without the site-wide capabilities in `needs`, it fails or returns incomplete data. */
export interface MoodleFunction {
  readonly name: string;
  readonly needs: readonly string[];
  /** The setting that enables the function; absent if the function is always used. */
  readonly only?: "completion";
}

/** Functions that the web service must include, as listed in `.docs/connectors.md`. */
export const REQUIRED_FUNCTIONS: readonly MoodleFunction[] = [
  { name: "core_webservice_get_site_info", needs: ["webservice/rest:use"] },
  {
    name: "core_enrol_get_enrolled_users_with_capability",
    needs: ["moodle/role:review", "moodle/course:enrolreview"],
  },
  { name: "core_course_get_courses", needs: ["moodle/course:view", "moodle/course:viewhiddencourses"] },
  {
    name: "core_enrol_get_enrolled_users",
    needs: [
      "moodle/course:viewparticipants",
      "moodle/course:enrolreview",
      "moodle/site:accessallgroups",
      "moodle/user:viewdetails",
      "moodle/user:viewalldetails",
    ],
  },
  {
    name: "core_user_get_users_by_field",
    needs: ["moodle/user:viewdetails", "moodle/user:viewalldetails", "moodle/user:viewhiddendetails"],
  },
  {
    name: "gradereport_user_get_grade_items",
    needs: ["gradereport/user:view", "moodle/grade:viewall", "moodle/grade:viewhidden"],
  },
  {
    name: "core_enrol_get_users_courses",
    needs: ["moodle/course:viewparticipants", "report/completion:view"],
    only: "completion",
  },
  {
    name: "core_completion_get_course_completion_status",
    needs: ["report/completion:view"],
    only: "completion",
  },
];

/**
 * The capability without which Moodle omits email addresses that learners hide. Addresses that were read earlier are
 * then kept.
 */
export const EMAIL_CAPABILITY = "moodle/course:useremail";

/** Error codes that concern a single learner, who is then skipped. */
const LEARNER_ERROR_CODES = new Set([
  "usernotconfirmed",
  "userdeleted",
  "invaliduser",
  "guestsarenotallowed",
  "notingroup",
  "accessdenied",
]);

/** Returns the error code if a fault concerns only one learner. */
export function faultOfOne(error: unknown): string | undefined {
  const code = error instanceof PullError ? error.code : undefined;
  return code !== undefined && LEARNER_ERROR_CODES.has(code) ? code : undefined;
}

export function createMoodleApi(settings: MoodleSettings, http: PoliteClient): MoodleApi {
  let token: Promise<string> | undefined;
  return {
    async call(name, args, shape, bounds) {
      token ??= readSecret(settings.token);
      // The token is sent in the body, because web servers log URLs.
      const form = new URLSearchParams({
        wstoken: await token,
        wsfunction: name,
        moodlewsrestformat: "json",
        moodlewssettingfilter: "true",
        ...(settings.language !== undefined && { moodlewssettinglang: settings.language }),
      });
      for (const [key, value] of Object.entries(args)) form.append(key, String(value));
      const { status, body, sentAt } = await http.send({
        method: "POST",
        path: "/webservice/rest/server.php",
        endpoint: name,
        form,
        isUnavailable: (answer) => {
          const code = exceptionIn(answer);
          return code !== undefined && RETRYABLE_CODE.test(code) ? code : undefined;
        },
        ...(bounds && { bounds }),
      });
      if (status === 403) {
        throw new PullError(
          "auth",
          `${name}: Moodle returned 403. Enable web services and the REST protocol.`,
          status,
        );
      }
      if (status === 404) {
        const text = `${name}: there is no Moodle (404). Check base_url: /webservice/rest/server.php is below it.`;
        throw new PullError("invalid", text, status);
      }
      if (status >= 400) throw new PullError("invalid", `${name}: Moodle returned ${status}.`, status);
      const code = exceptionIn(body);
      if (code !== undefined) throw refusal(name, code, shownName("token", settings.token));
      return { value: parseResponse(name, shape, body), sentAt };
    },
  };
}

/** Returns the error code of an exception. The exception's message is not used, because it may name a person. */
function exceptionIn(body: unknown): string | undefined {
  if (!isObject(body) || !("exception" in body)) return undefined;
  const { errorcode } = body;
  return typeof errorcode === "string" && /^[\w/-]{1,60}$/.test(errorcode) ? errorcode : "unknown";
}

const BLOCKED =
  "If the user has these permissions, sign in to Moodle once as this user: Moodle also rejects users who must first change their password or accept a policy.";

const ILL_FORMED =
  " A name or an address in this course has characters that Moodle itself rejects, such as <b>. To find the field, " +
  "turn on Site administration > Development > Debugging, and call this function yourself: the response names it.";

function refusal(name: string, code: string, tokenName: string): PullError {
  const fault = faults[code] ?? "invalid";
  const needs = REQUIRED_FUNCTIONS.find((one) => one.name === name)?.needs ?? [];
  const remedies: Partial<Record<PullFault, string>> = {
    auth: ` Check ${tokenName}.`,
    forbidden: ` Add the function to the service, and give its user ${needs.join(", ")}.`,
  };
  const own = code === "invalidresponse" ? ILL_FORMED : (remedies[fault] ?? "");
  const more = code === "errorcoursecontextnotvalid" ? ` ${BLOCKED}` : "";
  return new PullError(fault, `${name}: Moodle returned ${code}.${own}${more}`, undefined, { code });
}
