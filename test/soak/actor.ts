import type { Chance } from "./chance.js";
import type { Deployment, ServiceAddress } from "./deployment.js";
import type { Journal } from "./journal.js";
import type { Model } from "./model.js";
import type { RunBook } from "./run-book.js";
import type { Subjects } from "./subjects.js";

/** The objects that all actors share. */
export interface Scene {
  readonly deployment: Deployment;
  readonly model: Model;
  readonly runBook: RunBook;
  readonly journal: Journal;
  readonly subjects: Subjects;
  /** The newest verification response with an `ETag`, by UUID. */
  readonly etags: Map<string, { readonly etag: string; readonly body: string }>;
  /** Aborts when actors should begin no more calls. */
  readonly ending: AbortSignal;
}

/** A repeated action of an actor. The weight is its frequency in comparison with other actions. */
export interface Act {
  readonly weight: number;
  act(scene: Scene, chance: Chance): Promise<unknown>;
}

export function addressOf({ deployment }: Scene, chance: Chance): ServiceAddress {
  return chance.pick(deployment.addresses) as ServiceAddress;
}

export function httpUrlOf({ deployment }: Scene, chance: Chance): string {
  return chance.pick(deployment.httpUrls) as string;
}
