import type { Client } from "minio";

/** Makes the bucket, if there is none and the account may. Its objects are private unless somebody decides otherwise. */
export async function ensureBucket(client: Client, bucket: string, region: string): Promise<void> {
  if (await client.bucketExists(bucket)) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    // Another process may have made it meanwhile, or this one, whose answer was lost.
    const isThere = await client.bucketExists(bucket);
    if (!isThere) throw error;
  }
}
