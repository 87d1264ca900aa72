/** Declares the part of s3rver 3 that the tests use; the package ships no types. */
declare module "s3rver" {
  import type { AddressInfo } from "node:net";

  export default class S3rver {
    constructor(options: { address: string; port: number; directory: string; silent: boolean });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
