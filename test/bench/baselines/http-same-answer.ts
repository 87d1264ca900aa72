import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";

/** The response to every request. */
export interface SameAnswer {
  /** Names and values, alternating. */
  readonly headers: string[];
  readonly body: string;
}

/** A bare HTTP server that sends a fixed response, and logs a line about each request to a file, as the service does. */
const { headers, body } = JSON.parse(process.env.ANSWER ?? "") as SameAnswer;
const file = pino.destination({ dest: process.env.LOG as string, sync: true });
let lines = "";
const send = () => {
  file.write(lines);
  lines = "";
};
const gather = (line: string) => {
  if (lines === "") setImmediate(send);
  lines += line;
};
const log = pino({ base: null }, { write: gather });
const line = {
  requestId: "f58a4a10-67c4-42c7-9081-22078fceac85",
  method: "learning_credentials.v1.CredentialService/GetCredentialMetadata",
  caller: "anonymous",
  client: "127.0.0.1",
  code: "Ok",
  ms: 0.1,
};

const server = createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(body);
  log.info(line, "call");
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
