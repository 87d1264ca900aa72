import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { createAskService } from "../../src/lti/platform-services.js";
import type { Registration } from "../../src/lti/registration.js";
import type { ToolKeys } from "../../src/lti/tool-keys.js";
import type { Answer } from "../../src/outbound/ask.js";

const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = {
  async signing(signal: AbortSignal) {
    signal.throwIfAborted();
    return { kid: "one", key };
  },
} as Pick<ToolKeys, "signing"> as ToolKeys;

const answered = (text: string): Answer => ({ status: 200, text, header: () => undefined }) as Answer;

test("a token is renewed for the registration of today, whoever has asked for the one before", async () => {
  const tokenUrls: string[] = [];
  const ask = createAskService(async (_, url) => {
    if (!url.endsWith("/token")) return answered("[]");
    tokenUrls.push(url);
    return answered('{"access_token": "secret", "expires_in": 0.001}');
  }, keys);
  const registration = (host: string) =>
    ({ id: 1, clientId: "c", tokenUrl: `https://${host}/token`, tokenAudience: "" }) as Registration;
  const list = (host: string, signal: AbortSignal) =>
    ask(registration(host), "scope", "The list", `https://${host}/list`, {}, signal);
  const first = new AbortController();
  await list("old.example", first.signal);
  first.abort();
  await expect(list("old.example", first.signal)).rejects.toThrow("aborted");
  expect((await list("old.example", new AbortController().signal)).status).toBe(200);
  await list("new.example", new AbortController().signal);
  expect(tokenUrls).toEqual([
    "https://old.example/token",
    "https://old.example/token",
    "https://new.example/token",
  ]);
});
