/** Declares the part of s3rver 3 that the tests use. The package contains no types. */
declare module "s3rver" {
  import type { AddressInfo } from "node:net";
  import type { Readable } from "node:stream";

  interface S3Upload {
    readonly bucket: string;
    readonly key: string;
    readonly content: Buffer | Readable;
    readonly metadata: object;
  }

  export default class S3rver {
    /** Keeps objects in files. */
    readonly store: {
      getResourcePath(bucket: string, key: string, part: "object" | "object.md5" | "metadata.json"): string;
      putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
      putObject(upload: S3Upload): Promise<{ size: number; md5: string }>;
      deleteObject(bucket: string, key: string): Promise<void>;
    };
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      serviceEndpoint?: string;
    });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
