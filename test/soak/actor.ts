import type { Academy, ServiceAddress } from "./academy.js";
import type { Chance } from "./chance.js";
import type { Journal } from "./journal.js";
import type { Model } from "./model.js";
import type { RunBook } from "./run-book.js";
import type { Subjects } from "./subjects.js";

/** What all actors work with. */
export interface Scene {
  readonly academy: Academy;
  readonly model: Model;
  readonly runBook: RunBook;
  readonly journal: Journal;
  readonly subjects: Subjects;
  /** The latest verification response with an `ETag`, by UUID. */
  readonly etags: Map<string, { readonly etag: string; readonly body: string }>;
  /** Aborts when actors should begin nothing more. */
  readonly ending: AbortSignal;
}

/** An act that is repeated; its weight is how often compared with others. */
export interface Act {
  readonly weight: number;
  act(scene: Scene, chance: Chance): Promise<unknown>;
}

export function addressOf({ academy }: Scene, chance: Chance): ServiceAddress {
  return chance.pick(academy.addresses) as ServiceAddress;
}

export function httpUrlOf({ academy }: Scene, chance: Chance): string {
  return chance.pick(academy.httpUrls) as string;
}
