import { z } from "zod";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { LIST_PAGE } from "#infrastructure/outbound/ask.js";
import { atOrigin } from "../connectors/driver/link-header.js";
import { AGS } from "./claims.js";
import { type AskService, jsonOf } from "./platform-services.js";
import type { Registration } from "./registration.js";
import type { DueScore } from "./score-store.js";

/** The token scopes for columns: one to create them, one to write scores. */
export const COLUMN_SCOPES = [`${AGS}scope/lineitem`, `${AGS}scope/score`] as const;

/** Without this, Canvas would record a new submission with each score. */
const NO_SUBMISSION = { "https://canvas.instructure.com/lti/submission": { new_submission: false } };

const lineItem = z.object({ id: z.string().min(1).max(2000), resourceId: z.string().nullish() });

/** A platform, with what is needed to write scores there. */
export interface ScoreTarget {
  readonly ask: AskService;
  readonly registration: Registration;
  readonly signal: AbortSignal;
}

/**
 * Finds the column of a credential in the grade book of its course, or creates it.
 * @returns its URL
 * @throws Problem saying why it can't be found or created; it names no person
 */
export async function findColumn(
  target: ScoreTarget,
  { lineItemsUrl, configurationId, label }: DueScore,
): Promise<string> {
  const resourceId = `credential-${configurationId}`;
  const url = new URL(lineItemsUrl);
  url.searchParams.set("resource_id", resourceId);
  const listed = await send(target, url.href, {
    headers: { accept: "application/vnd.ims.lis.v2.lineitemcontainer+json" },
    bounds: LIST_PAGE,
  });
  const known = z
    .array(z.unknown())
    .safeParse(listed)
    .data?.map((one) => lineItem.safeParse(one).data)
    .find((one) => one?.resourceId === resourceId);
  const type = "application/vnd.ims.lis.v2.lineitem+json";
  const column =
    known ??
    lineItem.safeParse(
      await send(target, lineItemsUrl, {
        method: "POST",
        headers: { "content-type": type, accept: type },
        body: JSON.stringify({ label, scoreMaximum: 1, resourceId, tag: "credential" }),
      }),
    ).data;
  const at = column && atOrigin(column.id, url);
  if (!at) throw refused("The platform's answer about a column lacks its URL (id).");
  return at.href;
}

/**
 * Writes a score into a column.
 * @throws Problem saying why the score was rejected; `not-found` if the column does not exist
 */
export async function writeScore(
  target: ScoreTarget,
  lineItemUrl: string,
  subject: string,
  score: 0 | 1,
  at: Date,
): Promise<void> {
  const url = new URL(lineItemUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/scores`;
  const scoreFields = {
    userId: subject,
    scoreGiven: score,
    scoreMaximum: 1,
    activityProgress: "Completed",
    gradingProgress: "FullyGraded",
    timestamp: at.toISOString(),
    ...NO_SUBMISSION,
  };
  await send(target, url.href, {
    method: "POST",
    headers: { "content-type": "application/vnd.ims.lis.v1.score+json", accept: "application/json" },
    body: JSON.stringify(scoreFields),
  });
}

async function send(
  { ask, registration, signal }: ScoreTarget,
  url: string,
  question: Parameters<AskService>[4],
): Promise<unknown> {
  const what = "The platform's grade book";
  const { status, text } = await ask(registration, COLUMN_SCOPES.join(" "), what, url, question, signal);
  if (status >= 200 && status < 300) return jsonOf(text);
  if (status === 404)
    throw new Problem(
      "not-found",
      "The platform's grade book does not have the column or user (status 404).",
    );
  if (status === 401 || status === 403)
    throw refused(
      `The platform's grade book refuses this tool (status ${status}): allow it to use Assignment and Grade Services there.`,
    );
  throw refused(`The platform's grade book returned status ${status}.`);
}

function refused(message: string): Problem {
  return failedPrecondition(message);
}
