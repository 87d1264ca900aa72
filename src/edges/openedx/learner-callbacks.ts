import type { IncomingMessage } from "node:http";
import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { AdmittedCall } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { invalid, Problem } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { HttpRoute } from "../http/routes.js";
import { sendJson } from "../http/send-json.js";
import { readSmallBody } from "../http/small-body.js";

/**
 * Calls the method after the call was admitted.
 * @returns the body of the response, if it has one
 */
type Respond = (call: AdmittedCall, body: unknown) => Promise<object | undefined>;

const { eraseLearner, renameLearners } = LearnerRecordService.method;

/**
 * The two routes that scripts of Open edX call on its credentials service: `POST /user/retire/` retires a user, and
 * `POST /api/v2/replace_usernames/` renames users. They call `EraseLearner` and `RenameLearners`. Requests and
 * responses have the format of Open edX.
 */
export function learnerCallbacks(pipeline: Pipeline): HttpRoute[] {
  const route = (path: string, method: DescMethodUnary, respond: Respond): HttpRoute => ({
    path,
    methods: ["POST"],
    async answer({ request, response, inbound }) {
      // Ignores cookies, because a page of another site could make a browser send them.
      const credentials = { ...inbound.credentials, cookie: undefined };
      const call = await pipeline.admit(method, { ...inbound, credentials });
      const body = await respond(call, await readJson(call, request));
      if (body) sendJson(response, 200, body);
      else if (!response.destroyed) response.writeHead(204, ["Cache-Control", "no-store"]).end();
    },
  });
  return [
    route("/user/retire/", eraseLearner, retire),
    route("/api/v2/replace_usernames/", renameLearners, replaceUsernames),
  ];
}

/** Also succeeds for unknown learners, because the platform retries until it succeeds. */
async function retire(call: AdmittedCall, body: unknown): Promise<undefined> {
  const username = isObject(body) ? body.username : undefined;
  if (typeof username !== "string")
    throw call.refuse(invalid('The body must have the form {"username": "ana"}.'));
  try {
    await call.unary({ request: create(eraseLearner.input, { username }) });
  } catch (error) {
    if (ConnectError.from(error).code !== Code.NotFound) throw error;
  }
  return undefined;
}

async function replaceUsernames(call: AdmittedCall, body: unknown): Promise<object> {
  const renames = isObject(body) ? renamesIn(body.username_mappings) : undefined;
  if (!renames)
    throw call.refuse(invalid('The body must have the form {"username_mappings": [{"ana": "ana.kovac"}]}.'));
  const request = create(renameLearners.input, { renames });
  const { renamed, refused } = (await call.unary({ request })) as MessageShape<typeof renameLearners.output>;
  return {
    successful_replacements: renamed.map(mapping),
    failed_replacements: refused.flatMap(({ rename }) => (rename ? [mapping(rename)] : [])),
  };
}

type Rename = NonNullable<MessageInitShape<typeof renameLearners.input>["renames"]>[number];

/** @returns undefined if `mappings` is not a list of objects with one name each */
function renamesIn(mappings: unknown): Rename[] | undefined {
  if (!Array.isArray(mappings)) return undefined;
  const renames: Rename[] = [];
  for (const one of mappings) {
    const [entry, ...more] = isObject(one) ? Object.entries(one) : [];
    if (!entry || more.length > 0 || typeof entry[1] !== "string") return undefined;
    renames.push({ username: entry[0], newUsername: entry[1] });
  }
  return renames;
}

/** With `fromEntries`, any name can be a key, even `__proto__`. */
function mapping({ username, newUsername }: { username: string; newUsername: string }): object {
  return Object.fromEntries([[username, newUsername]]);
}

async function readJson(call: AdmittedCall, request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await readSmallBody(request));
  } catch (error) {
    if (error instanceof SyntaxError) throw call.refuse(invalid("The body must be JSON."));
    throw call.refuse(
      error instanceof Problem ? error : new Problem("cancelled", "The request was incomplete."),
    );
  }
}
