import { createSizedCache } from "#foundation/concurrency/sized-cache.js";
import type { Database } from "#infrastructure/db/database.js";
import {
  findPreviewLink,
  type PreviewFile,
  type PreviewLink,
  readPreviewFile,
} from "./preview-link-store.js";

export type OpenedPreview = PreviewLink & { readonly isPictured: boolean };

export interface OpenPreviewLink {
  /** Returns `undefined` if there is no such link, or if it has expired. */
  find(token: string): Promise<OpenedPreview | undefined>;
  /** Returns `undefined` if there is no such link or file, or if the link has expired. */
  read(token: string, file: PreviewFile): Promise<Uint8Array | undefined>;
}

/** Maximum total size of cached files. Clients that read the same file share its bytes. */
const MAX_CACHED_BYTES = 32 << 20;

const TOKEN = /^[\w-]{32}$/;

export function createOpenPreviewLink({ knex }: Database): OpenPreviewLink {
  // The files never change.
  const cached = createSizedCache<Uint8Array | null>(MAX_CACHED_BYTES, (bytes) => bytes?.length ?? 0);

  const find = async (token: string) => (TOKEN.test(token) ? findPreviewLink(knex, token) : undefined);
  return {
    find,
    async read(token, file) {
      const link = await find(token);
      return (
        link &&
        ((await cached(`${link.id} ${file}`, () => readPreviewFile(knex, link.id, file))) ?? undefined)
      );
    },
  };
}
