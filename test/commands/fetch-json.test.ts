import { createServer } from "node:http";
import { expect, test } from "vitest";
import { fetchJson } from "#app/commands/fetch-json.js";
import { listen, shut } from "../support/listen.js";

test.each([
  ["a DID document", '{"id": "did:web:a.test", "assertionMethod": ["#k"], "assertionMethod": []}'],
  ["a status list", '{"credentialSubject": {"encodedList": "uA", "encodedList": "uB"}}'],
])("%s with two members of the same name is not read", async (_what, body) => {
  const server = createServer((_request, response) => void response.end(body));
  const url = `http://127.0.0.1:${await listen(server)}/`;
  try {
    await expect(fetchJson(url)).rejects.toThrow(
      `${url} returned invalid JSON, or JSON with duplicate names`,
    );
  } finally {
    await shut(server);
  }
});
