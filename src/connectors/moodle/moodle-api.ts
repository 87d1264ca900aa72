import type { z } from "zod";
import { isObject } from "../../text/is-object.js";
import { asAgreed } from "../driver/as-agreed.js";
import { readSecretFile } from "../driver/connector-settings.js";
import type { PoliteClient } from "../driver/polite-client.js";
import { PullError, type PullFault } from "../driver/pull-error.js";
import type { AnswerBounds } from "../driver/read-json.js";
import type { MoodleSettings } from "./moodle-settings.js";

/** Calls functions of Moodle's web services. */
export interface MoodleApi {
  /** @param bounds of the answer; default: those of a page */
  call<T>(
    name: string,
    args: Readonly<Record<string, string | number>>,
    shape: z.ZodType<T>,
    bounds?: AnswerBounds,
  ): Promise<{ readonly value: T; readonly sentAt: Date }>;
}

/** What Moodle's error codes mean. It answers all of them with the status 200. */
const faults: Readonly<Record<string, PullFault>> = {
  invalidtoken: "auth",
  accessexception: "forbidden",
  nopermissions: "forbidden",
  nopermissiontoviewgrades: "forbidden",
  requireloginerror: "forbidden",
  errorcoursecontextnotvalid: "forbidden",
  servicenotavailable: "forbidden",
  invalidrecord: "missing",
};

/** It is asked again later: the site is in maintenance, its database is away, or a lock can't be had. */
const LATER = /^(sitemaintenance|dbconnectionfailed|dml\w*|ddl\w*|ex_unabletolock)$/;

/** What each function needs, besides `webservice/rest:use` and a place in the service. */
const NEEDS: Readonly<Record<string, string>> = {
  core_course_get_courses: "moodle/course:view and moodle/course:viewhiddencourses for the whole site",
  core_enrol_get_enrolled_users:
    "moodle/course:viewparticipants, moodle/course:enrolreview and moodle/site:accessallgroups",
  core_user_get_users_by_field: "moodle/user:viewdetails and moodle/user:viewalldetails",
  gradereport_user_get_grade_items:
    "gradereport/user:view, moodle/grade:viewall and moodle/site:accessallgroups",
  core_completion_get_activities_completion_status: "report/progress:view and moodle/site:accessallgroups",
};

/** Codes about one learner, who is passed over: of `core_user`, and of the functions that look at groups. */
const OF_ONE_LEARNER = new Set([
  "usernotconfirmed",
  "userdeleted",
  "invaliduser",
  "guestsarenotallowed",
  "notingroup",
  "accessdenied",
]);

/** Returns why one learner can't be read; undefined for a fault that concerns all. */
export function faultOfOne(error: unknown): string | undefined {
  const code = error instanceof PullError ? error.code : undefined;
  return code !== undefined && OF_ONE_LEARNER.has(code) ? code : undefined;
}

export function createMoodleApi(settings: MoodleSettings, http: PoliteClient): MoodleApi {
  let token: Promise<string> | undefined;
  return {
    async call(name, args, shape, bounds) {
      token ??= readSecretFile(settings.token_file);
      // in the body: a URL would be in the log of the platform
      const form = new URLSearchParams({
        wstoken: await token,
        wsfunction: name,
        moodlewsrestformat: "json",
        moodlewssettingfilter: "true",
        ...(settings.language !== undefined && { moodlewssettinglang: settings.language }),
      });
      for (const [key, value] of Object.entries(args)) form.append(key, String(value));
      const { status, body, sentAt } = await http.ask({
        method: "POST",
        path: "/webservice/rest/server.php",
        endpoint: name,
        form,
        isUnavailable: (answer) => {
          const code = exceptionIn(answer);
          return code !== undefined && LATER.test(code) ? code : undefined;
        },
        ...(bounds && { bounds }),
      });
      if (status === 403) {
        throw new PullError("auth", `${name}: Moodle answers 403. Switch on web services and REST.`, status);
      }
      if (status === 404) {
        const text = `${name}: there is no Moodle (404). Check base_url: /webservice/rest/server.php is below it.`;
        throw new PullError("invalid", text, status);
      }
      if (status >= 400) throw new PullError("invalid", `${name}: Moodle answers ${status}.`, status);
      const code = exceptionIn(body);
      if (code !== undefined) throw refusal(name, code);
      return { value: asAgreed(name, shape, body), sentAt };
    },
  };
}

/** Returns the code of an exception; undefined if the answer is none. Its message may name somebody. */
function exceptionIn(body: unknown): string | undefined {
  if (!isObject(body) || !("exception" in body)) return undefined;
  const { errorcode } = body;
  return typeof errorcode === "string" && /^[\w/-]{1,60}$/.test(errorcode) ? errorcode : "unknown";
}

function refusal(name: string, code: string): PullError {
  const fault = faults[code] ?? "invalid";
  const remedies: Partial<Record<PullFault, string>> = {
    auth: " Check token_file.",
    forbidden: ` Add the function to the service, and give its user ${NEEDS[name]}.`,
  };
  return new PullError(fault, `${name}: Moodle answers ${code}.${remedies[fault] ?? ""}`, undefined, {
    code,
  });
}
