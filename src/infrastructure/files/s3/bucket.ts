import { type Client, S3Error } from "minio";

/**
 * Creates the bucket if it does not exist and the account may create it. Its objects are private unless an
 * administrator decides otherwise.
 */
export async function ensureBucket(client: Client, bucket: string, region: string): Promise<void> {
  if (await bucketExists(client, bucket)) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    // Another process may have created the bucket meanwhile. Or this process created it, but the response was lost.
    if (!(await bucketExists(client, bucket))) throw error;
  }
}

/**
 * Returns whether the bucket exists. Lists objects, which requires the same permission as HEAD. Unlike the response to
 * HEAD, a list has a body, which states the reason for a failure, and can't be mistaken for a web page.
 */
async function bucketExists(client: Client, bucket: string): Promise<boolean> {
  try {
    await client.listObjectsV2Query(bucket, "", "", "", 1, "");
    return true;
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchBucket") return false;
    throw error;
  }
}
