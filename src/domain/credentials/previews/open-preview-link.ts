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

/** Maximum total size of files in memory. Clients that read the same file share its bytes. */
const MAX_REMEMBERED_BYTES = 32 << 20;

const TOKEN = /^[\w-]{32}$/;

export function createOpenPreviewLink({ knex }: Database): OpenPreviewLink {
  const remembered = new Map<string, Promise<Uint8Array | null>>();
  let bytes = 0;

  /** Caches the file, which never changes. */
  function remember(id: number, file: PreviewFile): Promise<Uint8Array | null> {
    const key = `${id} ${file}`;
    const cached = remembered.get(key);
    if (cached) return cached;
    const reading = readPreviewFile(knex, id, file);
    remembered.set(key, reading);
    reading.then(
      (read) => {
        bytes += read?.length ?? 0;
        if (bytes <= MAX_REMEMBERED_BYTES) return;
        remembered.clear();
        bytes = 0;
      },
      () => remembered.delete(key),
    );
    return reading;
  }

  const find = async (token: string) => (TOKEN.test(token) ? findPreviewLink(knex, token) : undefined);
  return {
    find,
    async read(token, file) {
      const link = await find(token);
      return link && ((await remember(link.id, file)) ?? undefined);
    },
  };
}
