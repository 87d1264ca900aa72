import type { IssuingSettings } from "../print-settings.js";
import { createReadDidDocument, type ReadDidDocument } from "./did-documents.js";
import { type BadgeDeps, createDidOf, type DidOf } from "./issuer.js";
import { createPublishedKeys, type PublishedKeys } from "./issuer-key-store.js";
import { createMakeBadge, type MakeBadge } from "./make-badge.js";
import { createMakeRecord, type MakeRecord } from "./make-record.js";
import { createStatusLists, type StatusLists } from "./status-lists.js";

export interface Badges {
  readonly makeBadge: MakeBadge;
  readonly makeRecord: MakeRecord;
  readonly didOf: DidOf;
  readonly publishedKeys: PublishedKeys;
  /** Documents that verifiers fetch, or `undefined` if the service has no signing keys. */
  readonly documents:
    | { readonly readDidDocument: ReadDidDocument; readonly statusLists: StatusLists }
    | undefined;
}

export function createBadges(
  deps: BadgeDeps & { readonly settings: Pick<IssuingSettings, "platformName" | "issuerProfile"> },
): Badges {
  const makeBadge = createMakeBadge(deps);
  const readDidDocument = createReadDidDocument(deps);
  const statusLists = createStatusLists(deps);
  return {
    makeBadge,
    makeRecord: createMakeRecord({ ...deps, makeBadge }),
    didOf: createDidOf(deps),
    publishedKeys: createPublishedKeys(deps.database),
    documents: readDidDocument && statusLists && { readDidDocument, statusLists },
  };
}
