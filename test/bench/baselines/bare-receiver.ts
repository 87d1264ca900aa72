import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const answerMs = Number(process.env.ANSWER_MS ?? 0);

setPriority(10); // simulates another machine, so it only gets the processor time that other programs leave

/** A server that reads what is posted to it, and responds with 204, immediately or after some time. */
const server = createServer((request, response) => {
  request.resume().on("end", async () => {
    if (answerMs > 0) await sleep(answerMs);
    response.writeHead(204).end();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
