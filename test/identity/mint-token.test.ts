import { describe, expect, test } from "vitest";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { createAuthenticate } from "#infrastructure/identity/authenticate.js";
import type { Caller } from "#infrastructure/identity/caller.js";
import { mintToken } from "#infrastructure/identity/mint-token.js";
import { STAFF_ROLES } from "#infrastructure/identity/roles.js";

const secret = "a secret that only this test knows";
const issuer = "https://issuer.example";
const audience = "learning-credentials";
const request = { secret, issuer, audience, username: "ada", expiresInSeconds: 60 };

describe("a minted token", () => {
  test.each<[string, object, Caller]>([
    ["a learner", {}, { kind: "user", username: "ada", isStaff: false, roles: [] }],
    ["staff", { isStaff: true }, { kind: "user", username: "ada", isStaff: true, roles: STAFF_ROLES }],
    [
      "a reader",
      { scopes: ["learning_credentials:read"] },
      { kind: "service", username: "ada", canWrite: false },
    ],
    [
      "a writer",
      { scopes: ["learning_credentials:write"] },
      { kind: "service", username: "ada", canWrite: true },
    ],
    ["any script", { username: "Ада 😀" }, { kind: "user", username: "Ада 😀", isStaff: false, roles: [] }],
  ])("is accepted: %s", async (_name, more, caller) => {
    const authenticate = createAuthenticate({ secrets: [secret], issuer, audience });
    const token = await mintToken({ ...request, ...more });
    await expect(authenticate({ authorization: `Bearer ${token}` }, new Cancellation())).resolves.toEqual({
      ...caller,
      expiresAt: expect.any(Number),
    });
  });

  test("needs no issuer or audience if none is configured", async () => {
    const token = await mintToken({ secret, username: "ada", expiresInSeconds: 60 });
    await expect(
      createAuthenticate({ secrets: [secret] })({ authorization: `JWT ${token}` }, new Cancellation()),
    ).resolves.toMatchObject({
      username: "ada",
    });
  });

  test.each([
    ["an empty name", { username: "" }],
    ["a control character", { username: "a\tb" }],
    ["staff under a name of the service itself", { username: "worker", isStaff: true }],
    ["no time", { expiresInSeconds: 0 }],
    ["negative", { expiresInSeconds: -1 }],
    ["not a number", { expiresInSeconds: Number.NaN }],
    ["for ever", { expiresInSeconds: Number.POSITIVE_INFINITY }],
    ["too long", { expiresInSeconds: 1e300 }],
  ])("is refused: %s", async (_name, more) => {
    await expect(mintToken({ ...request, ...more })).rejects.toMatchObject({ kind: "invalid" });
  });
});
