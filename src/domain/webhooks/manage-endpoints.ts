import { failedPrecondition, Problem, quoted, wrongField } from "#foundation/errors.js";
import { MAX_NAME, OVERLAP_HOURS } from "#foundation/limits.js";
import { checkShownText } from "#foundation/text/check-text.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { isPlainAddress } from "#infrastructure/email/mailbox.js";
import type { AddressRule } from "#infrastructure/outbound/address-rule.js";
import { readBounds } from "../credentials/events/event-store.js";
import { insertAttempts } from "./attempt-store.js";
import { endpointSecret, noSecret } from "./endpoint-secret.js";
import {
  deleteEndpoint,
  deliverSoon,
  findEndpoint,
  insertEndpoint,
  moveEndpoint,
  rotateSecret,
  setEndpointState,
  updateEndpoint,
} from "./endpoint-store.js";
import { checkEndpointUrl } from "./endpoint-url.js";
import { type EndpointSettings, MAX_ENDPOINTS, type WebhookEndpoint } from "./webhook-endpoint.js";

interface EndpointDeps {
  readonly database: Database;
  readonly rule: AddressRule;
  /** Secrets of the service from which endpoint secrets are derived. The first one is current. */
  readonly serviceSecrets: readonly string[];
}

/** An endpoint with its new secret, which is shown only once. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

export const DEFAULT_WINDOW = 64;

/**
 * Creates an endpoint, which is enabled immediately.
 * @param afterPosition position after which deliveries begin; undefined for the position of the last event
 * @throws Problem `invalid`, `out-of-range`; `resource-exhausted` if there are too many endpoints;
 * `failed-precondition` if the service has no secret for webhooks
 */
export async function createEndpoint(
  deps: EndpointDeps,
  requestedSettings: EndpointSettings,
  createdBy: string,
  afterPosition: number | undefined,
  signal: AbortSignal,
): Promise<EndpointWithSecret> {
  const settings = checkSettings(requestedSettings, deps.rule);
  const serviceSecret = currentSecret(deps);
  const endpoint = await inTransaction(deps.database, signal, async (transaction) => {
    if (afterPosition !== undefined)
      checkPosition("after_position", afterPosition, (await readBounds(transaction)).last);
    return insertEndpoint(transaction, settings, createdBy, afterPosition);
  });
  if (!endpoint)
    throw new Problem(
      "resource-exhausted",
      `There are ${MAX_ENDPOINTS} endpoints already: delete one first.`,
    );
  return { endpoint, secret: endpointSecret(serviceSecret, endpoint.id, endpoint.secretGeneration) };
}

/** Changes the settings of an endpoint, but keeps its position and secret. @throws Problem `invalid`, `not-found` */
export function changeEndpoint(
  { database, rule }: EndpointDeps,
  id: string,
  changes: Partial<EndpointSettings>,
  signal: AbortSignal,
): Promise<WebhookEndpoint> {
  return inTransaction(database, signal, async (transaction) => {
    const current = (await findEndpoint(transaction, id)) ?? throwNoSuchEndpoint(id);
    const settings = checkSettings({ ...current, ...changes }, rule);
    return (await updateEndpoint(transaction, id, settings)) ?? throwNoSuchEndpoint(id);
  });
}

/** Stops deliveries until the endpoint is enabled again. @throws Problem `not-found` */
export async function pauseEndpoint({ database }: EndpointDeps, id: string): Promise<WebhookEndpoint> {
  const paused = await setEndpointState(database.knex, id, "paused", "Paused by staff.");
  return paused ?? throwNoSuchEndpoint(id);
}

/** Resumes deliveries at the position where the endpoint was paused or disabled. @throws Problem `not-found` */
export async function enableEndpoint({ database }: EndpointDeps, id: string): Promise<WebhookEndpoint> {
  return (await setEndpointState(database.knex, id, "enabled", "")) ?? throwNoSuchEndpoint(id);
}

/** @throws Problem `not-found` */
export async function removeEndpoint({ database }: EndpointDeps, id: string): Promise<void> {
  if (!(await deleteEndpoint(database.knex, id))) throwNoSuchEndpoint(id);
}

/**
 * Rotates an endpoint's secret. For the given time, requests are signed with both secrets.
 * @throws Problem `invalid`, `not-found`; `failed-precondition` as in `createEndpoint`
 */
export async function rotateEndpointSecret(
  deps: EndpointDeps,
  id: string,
  overlapHours: number,
): Promise<EndpointWithSecret> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_HOURS.max)
    throw wrongField(
      "overlap_hours",
      `is ${overlapHours}; it must be a whole number, 0 to ${OVERLAP_HOURS.max} (30 days).`,
    );
  const serviceSecret = currentSecret(deps);
  const endpoint = (await rotateSecret(deps.database.knex, id, overlapHours)) ?? throwNoSuchEndpoint(id);
  return { endpoint, secret: endpointSecret(serviceSecret, id, endpoint.secretGeneration) };
}

/**
 * Delivers the events after a position again, or skips events up to a later position.
 * @throws Problem `not-found`, `invalid`; `out-of-range` if there is no such event yet
 */
export function replayEvents(
  { database }: EndpointDeps,
  id: string,
  afterPosition: number,
  signal: AbortSignal,
): Promise<WebhookEndpoint> {
  return inTransaction(database, signal, async (transaction) => {
    checkPosition("after_position", afterPosition, (await readBounds(transaction)).last);
    return (await moveEndpoint(transaction, id, afterPosition)) ?? throwNoSuchEndpoint(id);
  });
}

/**
 * Skips an event that a receiver rejects. Later events follow immediately.
 * @throws Problem `not-found`, `out-of-range`; `failed-precondition` if the event was already delivered
 */
export function skipEvent(
  { database }: EndpointDeps,
  id: string,
  position: number,
  signal: AbortSignal,
): Promise<WebhookEndpoint> {
  return inTransaction(database, signal, async (transaction) => {
    const endpoint = (await findEndpoint(transaction, id)) ?? throwNoSuchEndpoint(id);
    checkPosition("position", position, (await readBounds(transaction)).last);
    if (position <= endpoint.deliveredUpTo)
      throw failedPrecondition(
        `position is ${position}, but all events up to ${endpoint.deliveredUpTo} were already delivered or skipped: use a later one.`,
      );
    const [firstPosition, lastPosition] = [position, position];
    const skipped = { kind: "events", firstPosition, lastPosition, attempt: 1, outcome: "skipped" } as const;
    await insertAttempts(transaction, id, [
      { ...skipped, at: new Date(), ms: 0, status: null, error: "skipped by staff" },
    ]);
    await deliverSoon(transaction, id);
    return endpoint;
  });
}

export function throwNoSuchEndpoint(id: string): never {
  throw new Problem("not-found", `There is no webhook endpoint ${quoted(id)}.`, {
    reason: "WEBHOOK_ENDPOINT_NOT_FOUND",
  });
}

function checkPosition(field: string, position: number, last: number): void {
  if (!Number.isSafeInteger(position) || position < 0)
    throw wrongField(field, `is ${position}; it must be a position of an event, or 0.`);
  if (position > last)
    throw new Problem("out-of-range", `${field} is ${position}, but the last event has position ${last}.`);
}

function currentSecret({ serviceSecrets: [current] }: EndpointDeps): string {
  if (current !== undefined) return current;
  throw noSecret();
}

/** @throws Problem `invalid` */
function checkSettings(requestedSettings: EndpointSettings, rule: AddressRule): EndpointSettings {
  const { window, batch, skipRejectedAfter, contact, eventTypes } = requestedSettings;
  checkRange("window", window, 64);
  checkRange("batch", batch, 100);
  if (skipRejectedAfter !== null) checkRange("skip_rejected_after", skipRejectedAfter, 100);
  if (contact !== "" && !isPlainAddress(contact))
    throw wrongField("contact", `is ${quoted(contact)}; it must be one email address, or empty.`);
  return {
    url: checkEndpointUrl("url", requestedSettings.url, rule),
    description: checkShownText("description", requestedSettings.description, { min: 0, max: MAX_NAME }),
    eventTypes: [...new Set(eventTypes)],
    window,
    batch,
    skipRejectedAfter,
    contact,
  };
}

function checkRange(field: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw wrongField(field, `is ${value}; it must be 1 to ${max}.`);
}
