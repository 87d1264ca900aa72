import { readSecretFile } from "../../driver/secret.js";
import type { EventBusSettings } from "./event-bus-settings.js";

/**
 * Creates a client, which is not connected yet and reads values as bytes. The library is loaded here because few
 * deployments have an event bus.
 * @throws Problem `failed-precondition` if the file with the URL can't be read
 */
export async function createBusClient(
  { redis_url_file }: EventBusSettings,
  options: { readonly socket?: { readonly connectTimeout: number; readonly reconnectStrategy: false } } = {},
) {
  const { createClient, RESP_TYPES } = await import("@redis/client");
  const client = createClient({ url: await readSecretFile(redis_url_file), ...options });
  return client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}
