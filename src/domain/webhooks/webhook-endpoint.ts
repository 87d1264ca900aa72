import { columnsOf } from "#infrastructure/db/columns.js";
import type { CredentialEventType } from "../credentials/events/append-events.js";

/** `paused` by staff, or `disabled` by the service because the receiver has failed for too long. */
export type EndpointState = "enabled" | "paused" | "disabled";

/** What staff decide about an endpoint. */
export interface EndpointSettings {
  readonly url: string;
  readonly description: string;
  /** Empty: all. */
  readonly eventTypes: readonly CredentialEventType[];
  /** 1 to 64: how far events of different credentials may overtake one another. */
  readonly window: number;
  /** 1 to 100: the maximum number of events in one request. */
  readonly batch: number;
  /** Attempts after which an event that the receiver rejects is skipped. null: it blocks forever. */
  readonly skipRejectedAfter: number | null;
  /** The mailbox that is told when the service disables the endpoint. Empty: none. */
  readonly contact: string;
}

const settingFields = {
  url: {},
  description: {},
  eventTypes: {},
  window: { name: "window_size" },
  batch: { name: "batch_size" },
  skipRejectedAfter: {},
  contact: {},
};

export const settingColumns = columnsOf<EndpointSettings>("webhook_endpoints", settingFields);

/** A place that events are posted to. */
export interface WebhookEndpoint extends EndpointSettings {
  readonly id: string;
  readonly state: EndpointState;
  /** Why it is in that state, or what it has missed. */
  readonly stateReason: string;
  /** Position of the last event up to which everything was delivered or skipped. */
  readonly deliveredUpTo: number;
  readonly secretGeneration: number;
  /** Until when the secret before this one signs, too. null: it does not. */
  readonly previousUntil: Date | null;
  /** First failure since the last success; null if there is none. */
  readonly failingSince: Date | null;
  /** Rounds since then without a success. */
  readonly failedRounds: number;
  readonly nextAttemptAt: Date;
  readonly lastSuccessAt: Date | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export const endpointColumns = columnsOf<WebhookEndpoint>("webhook_endpoints", {
  id: { read: "endpoint.id" },
  ...settingFields,
  state: {},
  stateReason: {},
  deliveredUpTo: {},
  secretGeneration: {},
  previousUntil: {},
  failingSince: {},
  failedRounds: {},
  nextAttemptAt: {},
  lastSuccessAt: {},
  createdAt: {},
  createdBy: {},
});

/** An endpoint, with how far it is behind. */
export interface EndpointWithLag extends WebhookEndpoint {
  /** Positions that were not delivered yet, those of other types included. */
  readonly lag: number;
  /** Time of the oldest of them that still exists; null if there is none. */
  readonly oldestWaiting: Date | null;
}

/** Maximum number of endpoints: each has its own connections, and its place in the queue. */
export const MAX_ENDPOINTS = 50;
