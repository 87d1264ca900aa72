import { z } from "zod";
import { Problem } from "#foundation/errors.js";
import { type Knex, queryRow } from "#infrastructure/db/query.js";
import { LIST_PAGE } from "#infrastructure/outbound/send-request.js";
import type { Lti } from "./lti.js";
import { type CallService, createCallService, createFetchToken, jsonOf } from "./platform-services.js";
import { MEMBERS_SCOPE, readMembers } from "./read-members.js";
import type { Registration } from "./registration.js";
import { COLUMN_SCOPES } from "./write-score.js";

/** What a check found. Names no person, and contains no secret. */
export interface PlatformCheck {
  readonly what: "keys" | "token" | "members" | "columns";
  readonly outcome: "ok" | "warning" | "failed";
  /** Identifies the result, for translations. */
  readonly reason: string;
  /** The result in English, with the platform's own response. */
  readonly text: string;
  /** The part of the result that needs no translation. */
  readonly detail: string;
}

/** Addresses of a platform's services, as its launches have named them; empty if none has. */
interface KnownServices {
  readonly membershipsUrl: string;
  readonly lineItemsUrl: string;
}

const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

/**
 * Checks the services of a platform that this service uses: its keys and, once it is accepted, its access tokens, a
 * member list and a gradebook. Changes nothing on the platform.
 */
export async function checkPlatform(
  lti: Lti,
  registration: Registration,
  signal: AbortSignal,
): Promise<PlatformCheck[]> {
  const checks = [await checkKeys(lti, registration)];
  const { state, rosters, hasColumns } = registration;
  if (state !== "accepted" || (rosters === "" && !hasColumns)) return checks;
  const token = await checkToken(lti, registration, rosters === "" ? COLUMN_SCOPES.join(" ") : MEMBERS_SCOPE);
  checks.push(token);
  if (token.outcome === "failed") return checks;
  const known = await findServices(lti.database.knex, registration.id);
  // Requests new tokens, because those in use don't show that the platform still grants them.
  const call = createCallService(lti.sendRequest, lti.toolKeys);
  if (rosters !== "") checks.push(await checkMembers(call, registration, known, signal));
  if (hasColumns) checks.push(await checkColumns(call, registration, known, signal));
  return checks;
}

/** Returns the addresses in the latest launch of an accepted deployment; undefined if there was none. */
function findServices(db: Knex, registrationId: number): Promise<KnownServices | undefined> {
  return queryRow<KnownServices>(
    db,
    `select memberships_url as "membershipsUrl", line_items_url as "lineItemsUrl"
     from lti_contexts join lti_deployments as deployment using (registration_id, deployment_id)
     where registration_id = ? and deployment.state = 'accepted'
     order by last_launch_at desc limit 1`,
    [registrationId],
  );
}

async function checkKeys({ sendRequest }: Lti, { jwksUrl }: Registration): Promise<PlatformCheck> {
  try {
    const { status, text } = await sendRequest("The platform's key set", jwksUrl, {
      headers: { accept: "application/json" },
    });
    if (status === 200 && keySet.safeParse(jsonOf(text)).success)
      return result("keys", "ok", "keys_read", "The platform's keys were read", jwksUrl);
    return result("keys", "failed", "keys_unusable", "There are no keys at", `${jwksUrl} (status ${status})`);
  } catch (error) {
    return failure("keys", "keys_unreachable", error);
  }
}

async function checkToken(lti: Lti, registration: Registration, scope: string): Promise<PlatformCheck> {
  try {
    await createFetchToken(lti.sendRequest, lti.toolKeys)(registration, scope);
    return result(
      "token",
      "ok",
      "token_received",
      "The platform granted an access token",
      registration.tokenUrl,
    );
  } catch (error) {
    return failure("token", isOutage(error) ? "token_unreachable" : "token_refused", error);
  }
}

async function checkMembers(
  call: CallService,
  registration: Registration,
  known: KnownServices | undefined,
  signal: AbortSignal,
): Promise<PlatformCheck> {
  if (!known) return notLaunched("members");
  if (known.membershipsUrl === "")
    return result("members", "failed", "members_not_offered", "Launches name no member list", "");
  try {
    for await (const { learners } of readMembers(call, registration, known.membershipsUrl, signal)) {
      const isNameless = learners.length > 0 && learners.every(({ name }) => name === "");
      if (isNameless)
        return result("members", "warning", "members_without_names", "The member list contains no names", "");
      break; // the first page is enough
    }
    const { origin } = new URL(known.membershipsUrl);
    return result("members", "ok", "members_read", "A member list was read", origin);
  } catch (error) {
    return failure("members", isOutage(error) ? "members_unreachable" : "members_refused", error);
  }
}

async function checkColumns(
  call: CallService,
  registration: Registration,
  known: KnownServices | undefined,
  signal: AbortSignal,
): Promise<PlatformCheck> {
  if (!known) return notLaunched("columns");
  if (known.lineItemsUrl === "")
    return result("columns", "failed", "columns_not_offered", "Launches permit no gradebook columns", "");
  try {
    const { status } = await call(
      registration,
      COLUMN_SCOPES.join(" "),
      "The platform's gradebook",
      known.lineItemsUrl,
      { headers: { accept: "application/vnd.ims.lis.v2.lineitemcontainer+json" }, bounds: LIST_PAGE },
      signal,
    );
    const origin = new URL(known.lineItemsUrl).origin;
    return status === 200
      ? result("columns", "ok", "columns_read", "A gradebook was read", origin)
      : result(
          "columns",
          "failed",
          "columns_refused",
          "The gradebook can't be read",
          `${origin} (status ${status})`,
        );
  } catch (error) {
    return failure("columns", isOutage(error) ? "columns_unreachable" : "columns_refused", error);
  }
}

function notLaunched(what: PlatformCheck["what"]): PlatformCheck {
  return result(what, "warning", "not_launched", "Nobody has opened this service on the platform yet", "");
}

function result(
  what: PlatformCheck["what"],
  outcome: PlatformCheck["outcome"],
  reason: string,
  text: string,
  detail: string,
): PlatformCheck {
  return { what, outcome, reason, text: detail === "" ? `${text}.` : `${text}: ${detail}`, detail };
}

/** @throws the error if it doesn't say what is wrong with the platform */
function failure(what: PlatformCheck["what"], reason: string, error: unknown): PlatformCheck {
  if (!(error instanceof Problem)) throw error;
  return { what, outcome: "failed", reason, text: error.message, detail: error.message };
}

function isOutage(error: unknown): boolean {
  return error instanceof Problem && error.kind === "unavailable";
}
