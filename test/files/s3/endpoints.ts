import crypto from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";

/** An S3 server for tests, and an account with all permissions. */
export interface S3Endpoint {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Settings of a service that keeps its files in the bucket `credentials` of this server. */
  readonly settings: Record<`S3_${"ENDPOINT" | "REGION" | "BUCKET" | "ACCESS_KEY" | "SECRET_KEY"}`, string>;
  stop(): Promise<void>;
}

/**
 * Restores DES, which s3rver uses for its list tokens but OpenSSL 3 no longer has. Triple DES with the same key three
 * times equals DES.
 */
function reviveDes(): void {
  const { createCipheriv, createDecipheriv } = crypto;
  const revived =
    <Cipher>(create: (algorithm: string, key: Buffer, iv: Buffer) => Cipher) =>
    (algorithm: string, key: Buffer, iv: Buffer) =>
      algorithm === "des" ? create("des-ede3-cbc", Buffer.alloc(24, key), iv) : create(algorithm, key, iv);
  crypto.createCipheriv = revived(createCipheriv) as typeof createCipheriv;
  crypto.createDecipheriv = revived(createDecipheriv) as typeof createDecipheriv;
}
reviveDes();

/**
 * Works around two faults of s3rver. It removes empty directories, even if an upload is about to write to one of them,
 * and never responds to that upload. It also responds to uploads before their files are written. The replacement keeps
 * empty directories, and responds when the file is written.
 */
function mend({ store }: S3rver): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, "object");
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    const md5 = crypto.createHash("md5").update(bytes).digest("hex");
    await store.putMetadata(bucket, key, metadata, md5);
    return { size: bytes.length, md5 };
  };
  store.deleteObject = async (bucket, key) => {
    const parts = (["object", "object.md5", "metadata.json"] as const).map((part) =>
      store.getResourcePath(bucket, key, part),
    );
    await Promise.all(parts.map((path) => rm(path, { force: true })));
  };
}

/**
 * Starts an S3 server within this process. It accepts every caller, so refusals can't be tested with it.
 * @param serviceEndpoint a domain. The host `<bucket>.s3.<domain>` then leads to a bucket
 */
export async function startS3rver(serviceEndpoint?: string): Promise<S3Endpoint> {
  const directory = await mkdtemp(join(tmpdir(), "s3rver-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    directory,
    silent: true,
    ...(serviceEndpoint && { serviceEndpoint }),
  });
  mend(server);
  const { port } = await server.run();
  return {
    ...accessTo(`http://127.0.0.1:${port}`, "us-east-1", "S3RVER", "S3RVER"),
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function accessTo(endpoint: string, region: string, accessKey: string, secretKey: string) {
  const settings = {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: "credentials",
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
  };
  return { endpoint, region, accessKey, secretKey, settings };
}

/**
 * Returns the S3 server in the variables `S3_TEST_*`, in the form in which `s3/start` prints them. This server checks
 * signatures. Without the variables, returns undefined and prints a note.
 */
export function givenS3(): S3Endpoint | undefined {
  const { S3_TEST_ENDPOINT, S3_TEST_REGION, S3_TEST_ACCESS_KEY, S3_TEST_SECRET_KEY } = process.env;
  if (S3_TEST_ENDPOINT === undefined) {
    console.warn("skipped: the S3 store on an S3 that checks signatures, as S3_TEST_ENDPOINT is not set");
    return undefined;
  }
  return {
    ...accessTo(
      S3_TEST_ENDPOINT,
      S3_TEST_REGION ?? "us-east-1",
      S3_TEST_ACCESS_KEY ?? "",
      S3_TEST_SECRET_KEY ?? "",
    ),
    stop: async () => undefined,
  };
}
