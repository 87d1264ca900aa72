import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const answerMs = Number(process.env.ANSWER_MS ?? 0);

setPriority(10); // it stands for another machine, so it takes what is left of this one

/** A program that reads what is posted to it, and answers 204, at once or after some time. */
const server = createServer((request, response) => {
  request.resume().on("end", async () => {
    if (answerMs > 0) await sleep(answerMs);
    response.writeHead(204).end();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
