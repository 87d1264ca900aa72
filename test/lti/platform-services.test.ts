import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { createCallService } from "#domain/lti/platform-services.js";
import type { Registration } from "#domain/lti/registration.js";
import type { ToolKeys } from "#domain/lti/tool-keys.js";
import type { Answer } from "#infrastructure/outbound/send-request.js";

const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = {
  async signing(signal: AbortSignal) {
    signal.throwIfAborted();
    return { kid: "one", key };
  },
} as Pick<ToolKeys, "signing"> as ToolKeys;

const answered = (status: number, text: string): Answer =>
  ({ status, text, header: () => undefined }) as Answer;

test("a token is renewed for the current registration, whoever requested the previous one", async () => {
  const tokenUrls: string[] = [];
  let refusals = 0;
  const request = createCallService(async (_, url) => {
    if (!url.endsWith("/token")) return refusals-- > 0 ? answered(401, "") : answered(200, "[]");
    tokenUrls.push(url);
    return answered(200, '{"access_token": "secret"}');
  }, keys);
  const registration = (host: string) =>
    ({ id: 1, clientId: "c", tokenUrl: `https://${host}/token`, tokenAudience: "" }) as Registration;
  const list = (host: string, signal: AbortSignal) =>
    request(registration(host), "scope", "The list", `https://${host}/list`, {}, signal);
  const first = new AbortController();
  await list("old.example", first.signal);
  first.abort();
  await expect(list("old.example", first.signal)).rejects.toThrow("aborted");
  refusals = 1;
  expect((await list("old.example", new AbortController().signal)).status).toBe(200);
  await list("new.example", new AbortController().signal);
  expect(tokenUrls).toEqual([
    "https://old.example/token",
    "https://old.example/token",
    "https://new.example/token",
  ]);
});
