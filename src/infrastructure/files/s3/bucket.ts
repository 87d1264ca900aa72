import { type Client, S3Error } from "minio";

/**
 * Creates the bucket if it does not exist and the account may create it. Its objects are private unless an
 * administrator decides otherwise.
 */
export async function ensureBucket(client: Client, bucket: string, region: string): Promise<void> {
  if (await isThere(client, bucket)) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    // Another process may have created it meanwhile, or this one, if the response was lost.
    if (!(await isThere(client, bucket))) throw error;
  }
}

/**
 * Checks by listing, which requires the same permission as HEAD. Unlike a HEAD response, a list has a body:
 * it states the reason of a failure, and no web page can be mistaken for it.
 */
async function isThere(client: Client, bucket: string): Promise<boolean> {
  try {
    await client.listObjectsV2Query(bucket, "", "", "", 1, "");
    return true;
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchBucket") return false;
    throw error;
  }
}
