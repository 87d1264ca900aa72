import { type Client, S3Error } from "minio";

/** Makes the bucket, if there is none and the account may. Its objects are private unless somebody decides otherwise. */
export async function ensureBucket(client: Client, bucket: string, region: string): Promise<void> {
  if (await isThere(client, bucket)) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    // Another process may have made it meanwhile, or this one, whose answer was lost.
    if (!(await isThere(client, bucket))) throw error;
  }
}

/** By a list, which takes the same right as HEAD, and whose answer has a body: it says why, and no web page passes for it. */
async function isThere(client: Client, bucket: string): Promise<boolean> {
  try {
    await client.listObjectsV2Query(bucket, "", "", "", 1, "");
    return true;
  } catch (error) {
    if (error instanceof S3Error && error.code === "NoSuchBucket") return false;
    throw error;
  }
}
