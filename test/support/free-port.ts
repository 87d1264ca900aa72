import { once } from "node:events";
import { createServer } from "node:net";
import { listen } from "./listen.js";

/** Finds a port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}
