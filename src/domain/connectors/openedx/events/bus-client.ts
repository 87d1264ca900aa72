import { readSecretFile } from "../../driver/connector-settings.js";
import type { EventBusSettings } from "./event-bus-settings.js";

/**
 * Makes a client of an event bus, which is not yet connected and reads values as bytes. Few services have an
 * event bus, so the library is loaded here.
 * @throws Problem `failed-precondition` if the file of its URL can't be read
 */
export async function createBusClient(
  { redis_url_file }: EventBusSettings,
  options: { readonly socket?: { readonly connectTimeout: number; readonly reconnectStrategy: false } } = {},
) {
  const { createClient, RESP_TYPES } = await import("@redis/client");
  const client = createClient({ url: await readSecretFile(redis_url_file), ...options });
  return client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}
