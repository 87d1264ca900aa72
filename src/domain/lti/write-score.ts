import { z } from "zod";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { atOrigin } from "#infrastructure/outbound/link-header.js";
import { LIST_PAGE } from "#infrastructure/outbound/send-request.js";
import { AGS } from "./claims.js";
import { type CallService, jsonOf } from "./platform-services.js";
import type { Registration } from "./registration.js";
import type { DueScore } from "./score-store.js";

/** Scopes for columns: the first is for creating columns, the second for writing scores. */
export const COLUMN_SCOPES = [`${AGS}scope/lineitem`, `${AGS}scope/score`] as const;

/** Keeps Canvas from recording a new submission with each score. */
const NO_SUBMISSION = { "https://canvas.instructure.com/lti/submission": { new_submission: false } };

const lineItem = z.object({ id: z.string().min(1).max(2000), resourceId: z.string().nullish() });

export interface ScoreTarget {
  readonly callService: CallService;
  readonly registration: Registration;
  readonly signal: AbortSignal;
}

/**
 * Finds or creates the column of a credential in the gradebook of its course, and returns its URL.
 * @throws Problem saying what is wrong, without naming a person
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
  const existing = z
    .array(z.unknown())
    .safeParse(listed)
    .data?.map((one) => lineItem.safeParse(one).data)
    .find((one) => one?.resourceId === resourceId);
  const type = "application/vnd.ims.lis.v2.lineitem+json";
  const column =
    existing ??
    lineItem.safeParse(
      await send(target, lineItemsUrl, {
        method: "POST",
        headers: { "content-type": type, accept: type },
        body: JSON.stringify({ label, scoreMaximum: 1, resourceId, tag: "credential" }),
      }),
    ).data;
  const at = column && atOrigin(column.id, url);
  if (!at) throw refused("The platform returned a gradebook column without a valid URL (id).");
  return at.href;
}

/** @throws Problem saying why the score was rejected; `not-found` if the column does not exist */
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
  { callService, registration, signal }: ScoreTarget,
  url: string,
  question: Parameters<CallService>[4],
): Promise<unknown> {
  const what = "The platform's gradebook";
  const { status, text } = await callService(
    registration,
    COLUMN_SCOPES.join(" "),
    what,
    url,
    question,
    signal,
  );
  if (status >= 200 && status < 300) return jsonOf(text);
  if (status === 404)
    throw new Problem("not-found", "The platform's gradebook does not have the column or user (status 404).");
  if (status === 401 || status === 403)
    throw refused(
      `The platform's gradebook refuses this tool (status ${status}): allow it to use Assignment and Grade Services there.`,
    );
  throw refused(`The platform's gradebook returned status ${status}.`);
}

function refused(message: string): Problem {
  return failedPrecondition(message);
}
