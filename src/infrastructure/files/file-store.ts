import type { Readable } from "node:stream";

/**
 * A store for files. Every `put` uses a new key, so that a link leads to the file for which it was made, or to nothing.
 * `file-key.ts` defines keys.
 *
 * All methods throw Problem `unavailable` if the store can't be reached or is full.
 */
export interface FileStore {
  /**
   * Checks that the store is writable, by writing and removing a small object in the directory. A process that stops
   * during the check leaves at most one object, which `list` omits.
   */
  check(directory: string): Promise<void>;
  /** Stores the bytes atomically: readers see all of them or none. */
  put(key: string, bytes: Uint8Array, attributes: FileAttributes): Promise<void>;
  /**
   * Moves the file with its attributes, replacing any file at `to`. Repeated or concurrent moves have the same result.
   * An interrupted move may leave the file at both keys.
   * @returns true if the file is now at `to`; false if it is at neither key
   */
  move(from: string, to: string): Promise<boolean>;
  /** Does nothing if there is no file. */
  delete(key: string): Promise<void>;
  /** Also deletes what incomplete puts and moves left behind. */
  deleteDirectory(directory: string): Promise<void>;
  read(key: string): Promise<Uint8Array | undefined>;
  /** Reads the file in constant memory. The caller reads its content to the end, or destroys it. */
  stream(key: string): Promise<FileStream | undefined>;
  /** Reads all of the file's bytes, in constant memory. */
  digest(key: string): Promise<FileDigest | undefined>;
  /**
   * Lists the files whose keys start with the prefix, in any order and in constant memory. Files that are stored or
   * removed meanwhile may or may not be included.
   * @param prefix a directory with a trailing slash, or the key of one file
   */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** Lists remains of puts that were interrupted or are in progress. Their keys can only be used with `deleteDraft`. */
  listDrafts(directory: string): AsyncIterable<StoredFile>;
  /** Removes the remains of a put. */
  deleteDraft(key: string): Promise<void>;
  /** Returns a link for GET without credentials. Does not check that the file exists. */
  downloadUrl(key: string, now?: Date): Promise<DownloadUrl>;
}

/** Lifetime of links in seconds. Links to a custom domain don't expire. */
export const FILE_LINK_LIFETIME_S = 600;

/** How a file is served. */
export interface FileAttributes {
  /** A media type, for example `application/pdf`. */
  readonly contentType: string;
  /** The name under which a browser saves the file; any text. Undefined if no link leads to the file. */
  readonly downloadName?: string;
}

/** A file that is being read. */
export interface FileStream {
  /** Bytes. */
  readonly size: number;
  readonly content: Readable;
}

export interface FileDigest {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

export interface StoredFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** A download link. `expires` is undefined if the link never expires. */
export interface DownloadUrl {
  readonly url: string;
  readonly expires: Date | undefined;
}
