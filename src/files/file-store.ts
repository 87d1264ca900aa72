/**
 * Where files are kept. Every put is of a new key, so that a link leads to what it was made for or to nothing; see
 * `file-key.ts` for what a key is. All methods throw Problem `unavailable` when the store is out of reach or full.
 */
export interface FileStore {
  /** Keeps the bytes: readers see all of them or none. */
  put(key: string, bytes: Uint8Array, attributes: FileAttributes): Promise<void>;
  /** Removes the file, if there is one. */
  delete(key: string): Promise<void>;
  read(key: string): Promise<Uint8Array | undefined>;
  /** A link that answers a GET without credentials. Whether the file exists is not looked at. */
  downloadUrl(key: string, now?: Date): DownloadUrl;
}

/** How a file is served. */
export interface FileAttributes {
  /** A media type, such as `application/pdf`. */
  readonly contentType: string;
  /** The name that a browser saves it under; any text. */
  readonly downloadName: string;
}

/** A link and when it ceases to work; undefined: never. */
export interface DownloadUrl {
  readonly url: string;
  readonly expires: Date | undefined;
}
