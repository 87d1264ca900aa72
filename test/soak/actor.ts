import type { Campus, Door } from "./campus.js";
import type { Chance } from "./chance.js";
import type { Journal } from "./journal.js";
import type { Model } from "./model.js";
import type { RunBook } from "./run-book.js";
import type { Subjects } from "./subjects.js";

/** What all who ask something work with. */
export interface Scene {
  readonly campus: Campus;
  readonly model: Model;
  readonly runBook: RunBook;
  readonly journal: Journal;
  readonly subjects: Subjects;
  /** By uuid, the last answer of verification that came with an `ETag`. */
  readonly etags: Map<string, { readonly etag: string; readonly body: string }>;
  /** Aborts when nobody is to begin anything any more. */
  readonly ending: AbortSignal;
}

/** Something that is done again and again, so many times as often as others. */
export interface Act {
  readonly weight: number;
  act(scene: Scene, chance: Chance): Promise<unknown>;
}

export function doorOf({ campus }: Scene, chance: Chance): Door {
  return chance.pick(campus.doors) as Door;
}

export function httpUrlOf({ campus }: Scene, chance: Chance): string {
  return chance.pick(campus.httpUrls) as string;
}
