import { expect, test } from "vitest";
import { givenService } from "../../support/service.js";

const service = givenService({ signs: true });

const GRANT = "urn:ietf:params:oauth:grant-type:pre-authorized_code";
const BAD = [
  "\0",
  "a\0b",
  "\u001b[2J",
  "\ufeff",
  "x".repeat(20_000),
  "'; drop table learners",
  "../..",
  "%00",
  "[]",
];
const FORM = "application/x-www-form-urlencoded";

type Attack = readonly [string, string, { readonly headers: Record<string, string>; readonly body: string }];

const attacks: readonly Attack[] = [
  ...BAD.flatMap((bad): Attack[] => {
    const form = (fields: Record<string, string>) => ({
      headers: { "content-type": FORM },
      body: new URLSearchParams({ grant_type: GRANT, "pre-authorized_code": "a", ...fields }).toString(),
    });
    const requesting = (body: unknown, token = "a") => ({
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const id = "OpenBadgeCredential_ldp_vc";
    return [
      ["/openid4vci/token", "grant_type", form({ grant_type: bad })],
      ["/openid4vci/token", "code", form({ "pre-authorized_code": bad })],
      ["/openid4vci/token", "tx_code", form({ tx_code: bad })],
      ["/openid4vci/credential", "configuration", requesting({ credential_configuration_id: bad })],
      [
        "/openid4vci/credential",
        "proof",
        requesting({ credential_configuration_id: id, proofs: { jwt: [bad] } }),
      ],
      ["/openid4vci/credential", "proofs", requesting({ credential_configuration_id: id, proofs: bad })],
    ];
  }),
  ...["[".repeat(30_000), `{"a":${"[".repeat(15_000)}`, "null", "1", '"a"', "[]", "{", "", "\0"].map(
    (body): Attack => [
      "/openid4vci/credential",
      "body",
      { headers: { "content-type": "application/json", authorization: "Bearer a" }, body },
    ],
  ),
];

test("whatever a wallet sends, it gets no token and no badge, and causes no fault", async () => {
  const all = [];
  for (const [path, what, { headers, body }] of attacks) {
    const response = await fetch(`${service.httpUrl}${path}`, { method: "POST", headers, body });
    const { error, access_token, credentials } = (await response.json()) as Record<string, unknown>;
    const isRefused = [400, 401, 413].includes(response.status) && typeof error === "string";
    if (!isRefused || access_token || credentials) all.push([path, what, body.slice(0, 60), response.status]);
  }
  expect(all).toEqual([]);
  expect(attacks.length).toBe(63);
});
