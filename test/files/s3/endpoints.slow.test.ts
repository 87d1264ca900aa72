import { Client } from "minio";
import { expect, test } from "vitest";
import { startS3rver } from "./endpoints.js";

const ROUNDS = 150;
/** Larger than the buffers of a stream. */
const CONTENT = Buffer.alloc(200_000, "A credential. ");

test("s3rver responds to each upload while the last other object of its directory is deleted", async () => {
  const { endpoint, region, accessKey, secretKey, stop } = await startS3rver();
  const { hostname: endPoint, port } = new URL(endpoint);
  const client = new Client({ endPoint, port: Number(port), useSSL: false, region, accessKey, secretKey });
  await client.makeBucket("credentials");
  for (let round = 0; round < ROUNDS; round++) {
    const [older, newer] = [`a/${round}/older`, `a/${round}/newer`];
    await client.putObject("credentials", older, CONTENT);
    await Promise.all([
      client.removeObject("credentials", older),
      client.putObject("credentials", newer, CONTENT),
    ]);
    expect((await client.statObject("credentials", newer)).size).toBe(CONTENT.length);
  }
  await stop();
});
