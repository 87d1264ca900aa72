import type { Readable } from "node:stream";

/**
 * A store for files. Every `put` uses a new key, so that a link leads to the file for which it was made, or to nothing.
 * `file-key.ts` defines keys.
 *
 * All methods throw Problem `unavailable` if the store can't be reached or is full.
 */
export interface FileStore {
  /**
   * Checks that the store is writable, by writing and removing a small object in the directory. Processes that die
   * meanwhile leave at most one object, which `list` omits.
   */
  check(directory: string): Promise<void>;
  /** Stores the bytes atomically: readers see all of them or none. */
  put(key: string, bytes: Uint8Array, attributes: FileAttributes): Promise<void>;
  /**
   * Moves the file with its attributes, replacing any file at `to`. Afterwards it can't be read at its old place.
   * Repeated or concurrent moves have the same result. A move that dies half-way may leave the file at both keys.
   * @returns true if the file is now at `to`; false if it is at neither key
   */
  move(from: string, to: string): Promise<boolean>;
  /** Removes the file, if it exists. */
  delete(key: string): Promise<void>;
  /** Removes everything in the directory, including remains of incomplete puts and moves. */
  deleteDirectory(directory: string): Promise<void>;
  read(key: string): Promise<Uint8Array | undefined>;
  /** Reads the file in constant memory. The caller reads its content to the end, or destroys it. */
  stream(key: string): Promise<FileStream | undefined>;
  /** Reads all of the file's bytes and returns their hash and size, in constant memory. */
  digest(key: string): Promise<FileDigest | undefined>;
  /**
   * Lists the files whose keys start with the prefix, in no particular order. They are read a few at a time, so that
   * memory use is constant. Files that are stored or removed meanwhile may or may not be included.
   * @param prefix a directory with a trailing slash, or the key of one file
   */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** Lists remains of puts that were interrupted or are in progress. Their keys can only be used with `deleteDraft`. */
  listDrafts(directory: string): AsyncIterable<StoredFile>;
  /** Removes the remains of a put, if they exist. */
  deleteDraft(key: string): Promise<void>;
  /** Returns a link that can be requested with GET, without credentials. It does not check that the file exists. */
  downloadUrl(key: string, now?: Date): Promise<DownloadUrl>;
}

/** Lifetime of a link from `downloadUrl`, unless it leads to a custom domain. */
export const LINK_LIFETIME_S = 600;

/** How a file is served. */
export interface FileAttributes {
  /** A media type, for example `application/pdf`. */
  readonly contentType: string;
  /** The name under which a browser saves the file; any text. undefined if the file is never linked to. */
  readonly downloadName?: string;
}

/** A file that is being read. */
export interface FileStream {
  /** Bytes. */
  readonly size: number;
  readonly content: Readable;
}

/** Hash and size of a file. */
export interface FileDigest {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** A file in a store's listing. */
export interface StoredFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** A link and the time at which it expires; undefined if it never does. */
export interface DownloadUrl {
  readonly url: string;
  readonly expires: Date | undefined;
}
