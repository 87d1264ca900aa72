import type { z } from "zod";
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
  requireloginerror: "forbidden",
  servicenotavailable: "forbidden",
  invalidrecord: "missing",
};

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
      });
      for (const [key, value] of Object.entries(args)) form.append(key, String(value));
      const { status, body, sentAt } = await http.ask({
        method: "POST",
        path: "/webservice/rest/server.php",
        endpoint: name,
        form,
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
      const read = shape.safeParse(body);
      if (read.success) return { value: read.data, sentAt };
      const where = read.error.issues[0]?.path.map(String).join(".") || "the whole answer";
      throw new PullError("invalid", `${name}: the answer is not as expected at ${where}.`);
    },
  };
}

/** Returns the code of an exception; undefined if the answer is none. Its message may name somebody. */
function exceptionIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("exception" in body)) return undefined;
  const { errorcode } = body as { errorcode?: unknown };
  return typeof errorcode === "string" && /^[\w/-]{1,60}$/.test(errorcode) ? errorcode : "unknown";
}

function refusal(name: string, code: string): PullError {
  const fault = faults[code] ?? "invalid";
  const remedies: Partial<Record<PullFault, string>> = {
    auth: " Check token_file.",
    forbidden: " Add the function to the service, and give its user the capabilities that it needs.",
  };
  return new PullError(fault, `${name}: Moodle answers ${code}.${remedies[fault] ?? ""}`);
}
