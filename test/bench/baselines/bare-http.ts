import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A bare HTTP server that responds with a fixed JSON of 200 bytes. */
const body = JSON.stringify({ text: "x".repeat(189) });

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
