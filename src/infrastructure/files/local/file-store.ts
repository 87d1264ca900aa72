import { createReadStream } from "node:fs";
import { access, type FileHandle, open, readFile, rm, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ignoreMissingFile } from "#foundation/errors.js";
import { customDomainUrl } from "../custom-domain.js";
import { digestOf } from "../digest.js";
import { checkFileKey, checkMove, checkPrefix, isFileKey } from "../file-key.js";
import { FILE_LINK_LIFETIME_S, type FileAttributes, type FileStore } from "../file-store.js";
import { checkMediaType } from "../media-type.js";
import { checkWritable, createDirectories, type Directories } from "./directories.js";
import { onDisk } from "./disk-fault.js";
import { isDraftName } from "./draft-name.js";
import { writeFiles } from "./file-writer.js";
import { isValidLink, type SignedLink, signLink } from "./link-signature.js";
import { moveDurably } from "./move-durably.js";
import { statFile, walkDirectory } from "./walk-directory.js";

/**
 * Stores files in a directory of this machine, and serves them through this service (`edges/http/signed-files.ts`). A
 * file's path is its key, so that a web server can serve it, too. Attributes are in `.attributes/<key>.json`, which
 * such a server should not serve.
 */
export interface LocalFileStore extends FileStore {
  /** Returns whether the link was created by `downloadUrl` and has not expired. */
  admits(link: SignedLink, now?: Date): boolean;
  /** Opens a file. The caller closes the handle. */
  open(key: string): Promise<OpenFile | undefined>;
}

export interface OpenFile extends Required<FileAttributes> {
  readonly handle: FileHandle;
  /** In bytes. */
  readonly size: number;
}

const ATTRIBUTES = ".attributes";

/**
 * Contents for checks, larger than a document of the built-in design. A disk that is nearly full may still have room
 * for smaller contents.
 */
export const CHECK_BYTES = Buffer.alloc(131_072, "check ");

interface LinkOptions {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The first secret signs links; all of them can verify links. */
  readonly secrets: readonly [string, ...string[]];
  /**
   * A domain, with or without a scheme, under which another server serves the directory publicly. Links lead there,
   * unsigned, and do not expire.
   */
  readonly customDomain: string | undefined;
}

/** Creates the store. The directory is created with the first file. */
export function createLocalFileStore(options: LinkOptions & { readonly directory: string }): LocalFileStore {
  const directory = resolve(options.directory);
  const directories = createDirectories();

  const filePath = (key: string) => join(directory, checkFileKey(key));
  const attributesPath = (key: string) => join(directory, ATTRIBUTES, `${checkFileKey(key)}.json`);

  return {
    ...createListing(directory, directories),
    ...createReading(filePath, attributesPath),
    ...createLinks(options),

    async check(key) {
      const path = join(filePath(key), ".check");
      await onDisk(path, () => checkWritable(directories, path, CHECK_BYTES));
    },

    async put(key, bytes, attributes) {
      checkMediaType(attributes.contentType);
      const path = filePath(key);
      // Attributes come first, so that the file is never served without them. A file without links needs none.
      const described =
        attributes.downloadName === undefined
          ? []
          : [{ path: attributesPath(key), bytes: Buffer.from(JSON.stringify(attributes)) }];
      await onDisk(path, () => writeFiles([...described, { path, bytes }]));
    },

    async move(from, to) {
      checkMove(from, to);
      return onDisk(filePath(from), async () => {
        // Moves the attributes before the file, so that the file is never served without them.
        await moveDurably(directories, attributesPath(from), attributesPath(to));
        const isMoved = await moveDurably(directories, filePath(from), filePath(to));
        return isMoved || (await exists(filePath(to)));
      });
    },

    async delete(key) {
      await onDisk(filePath(key), async () => {
        await remove(directories, filePath(key));
        await remove(directories, attributesPath(key));
      });
    },

    async deleteDirectory(key) {
      await onDisk(filePath(key), async () => {
        await removeDirectory(directories, filePath(key));
        await removeDirectory(directories, join(directory, ATTRIBUTES, key));
      });
    },
  };
}

function createReading(
  filePath: (key: string) => string,
  attributesPath: (key: string) => string,
): Pick<LocalFileStore, "read" | "stream" | "digest" | "open"> {
  return {
    async read(key) {
      const path = filePath(key);
      return onDisk(path, () => readFile(path).catch(ignoreMissingFile));
    },

    async stream(key) {
      const path = filePath(key);
      return onDisk(path, async () => {
        const handle = await open(path).catch(ignoreMissingFile);
        return handle && { size: (await handle.stat()).size, content: handle.createReadStream() };
      });
    },

    async digest(key) {
      const path = filePath(key);
      return onDisk(path, () => digestOf(createReadStream(path)).catch(ignoreMissingFile));
    },

    async open(key) {
      const path = filePath(key);
      return onDisk(path, async () => {
        const handle = await open(path).catch(ignoreMissingFile);
        if (!handle) return undefined;
        try {
          const { size } = await handle.stat();
          return { handle, size, ...(await readAttributes(attributesPath(key), key)) };
        } catch (error) {
          await handle.close();
          throw error;
        }
      });
    },
  };
}

function createListing(
  directory: string,
  directories: Directories,
): Pick<FileStore, "list" | "listDrafts" | "deleteDraft"> {
  return {
    async *list(prefix) {
      const path = join(directory, checkPrefix(prefix));
      if (prefix.endsWith("/")) {
        yield* walkDirectory(path, prefix.slice(0, -1));
        return;
      }
      const file = await statFile(path, prefix);
      if (file) yield file;
    },

    async *listDrafts(key) {
      for (const top of [checkFileKey(key), `${ATTRIBUTES}/${key}`])
        yield* walkDirectory(join(directory, top), top, isDraftKey);
    },

    async deleteDraft(key) {
      if (!isDraftKey(key)) throw new Error(`not the key of a draft: ${JSON.stringify(key)}`);
      await onDisk(key, () => remove(directories, join(directory, key)));
    },
  };
}

function createLinks({
  publicUrl,
  secrets,
  customDomain,
}: LinkOptions): Pick<LocalFileStore, "downloadUrl" | "admits"> {
  const customUrl = customDomain === undefined ? undefined : customDomainUrl(customDomain);
  return {
    async downloadUrl(key, now = new Date()) {
      const path = checkFileKey(key);
      if (customUrl !== undefined) return { url: `${customUrl}/${path}`, expires: undefined };
      const seconds = Math.floor(now.getTime() / 1000) + FILE_LINK_LIFETIME_S;
      const { expires, signature } = signLink(secrets[0], path, String(seconds));
      return {
        url: `${publicUrl}/files/${path}?expires=${expires}&signature=${signature}`,
        expires: new Date(seconds * 1000),
      };
    },

    admits(link, now = new Date()) {
      return isFileKey(link.key) && isValidLink(secrets, link, now);
    },
  };
}

/** Returns whether a key belongs to a file that is being written, or whose writer has stopped. */
function isDraftKey(key: string): boolean {
  const [, directory, name = ""] = /^(?:\.attributes\/)?(.+)\/([^/]+)$/.exec(key) ?? [];
  return directory !== undefined && isFileKey(directory) && isDraftName(name);
}

async function exists(path: string): Promise<boolean> {
  return (await access(path).then(() => true, ignoreMissingFile)) ?? false;
}

async function remove(directories: Directories, path: string): Promise<void> {
  const isGone = await unlink(path).then(() => true, ignoreMissingFile);
  if (isGone) await directories.sync(dirname(path));
}

async function removeDirectory(directories: Directories, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await directories.sync(dirname(path)).catch(ignoreMissingFile);
}

/** Returns defaults if the attributes were lost, so that the file can still be served. */
async function readAttributes(path: string, key: string): Promise<Required<FileAttributes>> {
  const text = await readFile(path, "utf8").catch(ignoreMissingFile);
  if (text !== undefined) return JSON.parse(text);
  return { contentType: "application/octet-stream", downloadName: key.slice(key.lastIndexOf("/") + 1) };
}
