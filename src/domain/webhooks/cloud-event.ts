import type { CredentialEvent } from "../credentials/events/credential-event.js";

/** A request body, with an id by which receivers recognise duplicates. */
export interface Payload {
  /** Sent as `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly contentType: string;
}

const EVENT = "application/cloudevents+json; charset=utf-8";
const BATCH = "application/cloudevents-batch+json; charset=utf-8";

/** Maximum size of a body. According to Standard Webhooks, receivers may reject larger bodies. */
const MAX_BODY = 20_000;

/**
 * Returns the payload of a request: the first event as a CloudEvents 1.0 event in JSON or, with `isBatch`, an array of
 * all events. It contains no personal data. Each event also has the `type`, `timestamp` and `data` of Standard
 * Webhooks.
 * @param source base URL of this service
 */
export function eventPayload(
  source: string,
  events: readonly [CredentialEvent, ...CredentialEvent[]],
  isBatch: boolean,
): Payload {
  const [first] = events;
  if (!isBatch)
    return { id: idOf(first), body: JSON.stringify(cloudEvent(source, first)), contentType: EVENT };
  const last = events[events.length - 1] ?? first;
  return {
    id: `batch_${first.position}_${last.position}_${last.hash.slice(0, 16)}`,
    body: JSON.stringify(events.map((event) => cloudEvent(source, event))),
    contentType: BATCH,
  };
}

/** Returns how many of these events fit in one batch, at least 1. */
export function fittingCount(source: string, events: readonly CredentialEvent[]): number {
  let length = 1;
  const tooMany = events.findIndex((event) => {
    length += JSON.stringify(cloudEvent(source, event)).length + 1;
    return length > MAX_BODY;
  });
  return tooMany === -1 ? events.length : Math.max(tooMany, 1);
}

/**
 * Returns the id of an event. It includes the hash, because positions may be used again after a restore from a backup.
 */
function idOf({ position, hash }: CredentialEvent): string {
  return `evt_${position}_${hash.slice(0, 16)}`;
}

function cloudEvent(source: string, event: CredentialEvent) {
  const { position, credentialUuid, configurationId, occurredAt, statusBefore, statusAfter, hash } = event;
  return envelope(source, idOf(event), `credential.${event.type}`, occurredAt, credentialUuid, {
    position,
    credential_uuid: credentialUuid,
    configuration_id: configurationId,
    status_before: statusBefore,
    status_after: statusAfter,
    hash,
  });
}

/** A range of events that were removed before they were delivered. */
interface EventGap {
  readonly from: number;
  readonly to: number;
}

/** Returns a report of events that a receiver will never get. */
export function gapPayload(source: string, endpointId: string, { from, to }: EventGap, now: Date): Payload {
  const id = `gap_${from}_${to}`;
  return operational(source, endpointId, id, "webhook.gap", now, { from, to });
}

export function testPayload(source: string, endpointId: string, id: string, now: Date): Payload {
  return operational(source, endpointId, id, "webhook.test", now, {});
}

/** Returns a notification that another endpoint, `disabledId`, was disabled. */
export function disabledPayload(
  source: string,
  disabledId: string,
  id: string,
  reason: string,
  at: Date,
): Payload {
  return operational(source, disabledId, id, "webhook.disabled", at, { reason });
}

function operational(
  source: string,
  endpointId: string,
  id: string,
  type: string,
  now: Date,
  data: object,
): Payload {
  const about = { endpoint_id: endpointId, ...data };
  return {
    id,
    body: JSON.stringify(envelope(source, id, type, now, endpointId, about)),
    contentType: EVENT,
  };
}

function envelope(source: string, id: string, type: string, time: Date, subject: string, data: object) {
  return {
    specversion: "1.0",
    id,
    source,
    type,
    time: time.toISOString(),
    timestamp: time.toISOString(),
    subject,
    datacontenttype: "application/json",
    data,
  };
}
