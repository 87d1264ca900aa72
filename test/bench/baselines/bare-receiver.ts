import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A program that reads what is posted to it, and answers 204. */
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
