/**
 * Where files are kept. Every put is of a new key, so that a link leads to what it was made for or to nothing; see
 * `file-key.ts` for what a key is. All methods throw Problem `unavailable` when the store is out of reach or full.
 */
export interface FileStore {
  /**
   * Finds out whether the store takes what it is given: writes a little below the directory, and removes it. It leaves one
   * object at most, however often a process dies meanwhile, which no list shows.
   */
  check(directory: string): Promise<void>;
  /** Keeps the bytes: readers see all of them or none. */
  put(key: string, bytes: Uint8Array, attributes: FileAttributes): Promise<void>;
  /**
   * Moves the file with its attributes, whatever is at `to`: where it was, it can't be read any more. Doing so again, or
   * twice at once, comes to the same; a move that dies half-way may leave the file at both keys.
   * @returns whether the file is at `to` now; false: there is none at either key
   */
  move(from: string, to: string): Promise<boolean>;
  /** Removes the file, if there is one. */
  delete(key: string): Promise<void>;
  /** Removes all that lies in the directory, with what a put or a move has left there that died half-way. */
  deleteDirectory(directory: string): Promise<void>;
  read(key: string): Promise<Uint8Array | undefined>;
  /** What the file's bytes come to, all of them read, without having them in memory as a whole. */
  digest(key: string): Promise<FileDigest | undefined>;
  /**
   * The files whose keys begin so, in no order, a few at a time: memory stays flat however many there are. What is put or
   * removed meanwhile may be there or not.
   * @param prefix a directory, with a slash at its end, or the key of one file
   */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** A link that answers a GET without credentials. Whether the file exists is not looked at. */
  downloadUrl(key: string, now?: Date): Promise<DownloadUrl>;
}

/** How long a link of `downloadUrl` holds, unless it leads to a custom domain. */
export const LINK_LIFETIME_S = 600;

/** How a file is served. */
export interface FileAttributes {
  /** A media type, such as `application/pdf`. */
  readonly contentType: string;
  /** The name that a browser saves it under; any text. */
  readonly downloadName: string;
}

/** What the bytes of a file come to. */
export interface FileDigest {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** A file as a store lists it. */
export interface StoredFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** A link and when it ceases to work; undefined: never. */
export interface DownloadUrl {
  readonly url: string;
  readonly expires: Date | undefined;
}
