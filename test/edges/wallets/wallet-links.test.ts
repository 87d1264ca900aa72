import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { downloadLink } from "#domain/credentials/download/download-link.js";
import { walletLink } from "#domain/credentials/wallets/wallet-link.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { verifiedByCore } from "../../badges/verifier-core.js";
import { readHtml } from "../../email/read-html.js";
import { givenAcademy, openAcademy } from "../../support/academy.js";
import { startTestService, tokenOf } from "../../support/service.js";
import { type Json, newKey, receive } from "./foreign-wallet.js";

const ISSUER = "https://wallets.test";
const GRANT = "urn:ietf:params:oauth:grant-type:pre-authorized_code";

const academy = givenAcademy({ signs: true, settings: { PUBLIC_URL: ISSUER } });

async function issued(username: string): Promise<string> {
  return (await academy.issued(username)).uuid;
}

/** Issues a credential, and requests its wallet link as its holder. */
async function linked(username: string) {
  const uuid = await issued(username);
  const holder = academy.service.client(CredentialService, await tokenOf({ username }));
  const { interactionUrl } = await holder.createWalletOffer({ uuid });
  return { uuid, url: interactionUrl };
}

/** Converts a URL of the issuer's host to a URL of the service under test. */
const local = (url: string) => {
  expect(url.startsWith(`${ISSUER}/`)).toBe(true);
  return academy.service.httpUrl + url.slice(ISSUER.length);
};
const send = (url: string, init: RequestInit = {}) =>
  fetch(local(url), { headers: { accept: "application/json" }, ...init });
const post = (url: string, body: unknown, contentType = "application/json") =>
  send(url, {
    method: "POST",
    headers: { "content-type": contentType },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const protocolsOf = async (url: string) => ((await (await send(url)).json()) as Json).protocols;

describe("one link", () => {
  test("gives a badge to a wallet that follows the steps of Learner Credential Wallet", async () => {
    const { url } = await linked("ana");
    expect(new URL(url).searchParams.get("iuv")).toBe("1");
    const { vcapi } = await protocolsOf(url);
    const answer = await post(vcapi, {});
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const { verifiablePresentation } = (await answer.json()) as Json;
    expect(verifiablePresentation.type).toEqual(["VerifiablePresentation"]);
    const [badge] = verifiablePresentation.verifiableCredential;
    expect(badge.credentialSubject.identifier[0].identityHash).toBe("Learner ana");
    const verdict = await verifiedByCore(badge, local);
    expect(verdict).toMatchObject({ errors: [], checks: { valid_signature: true, revocation_status: true } });
  });

  test("gives it to a foreign OpenID4VCI wallet, bound to its key", async () => {
    const { url } = await linked("ben");
    const { OID4VCI } = await protocolsOf(url);
    const offer = (await (
      await send(new URL(OID4VCI).searchParams.get("credential_offer_uri") ?? "")
    ).json()) as Json;
    expect(offer.grants[GRANT].tx_code).toBeUndefined();
    const key = await newKey("ES256");
    const [credential] = await receive(key, local, OID4VCI, ["OpenBadgeCredential_ldp_vc"]);
    expect(credential.credentialSubject.id).toMatch(/^did:jwk:/);
    expect((await verifiedByCore(credential, local)).checks).toMatchObject({ valid_signature: true });
  });

  test("is a page for people, in their language, which other pages can't embed", async () => {
    const { url } = await linked("cy");
    const answer = await send(url, { headers: { accept: "text/html,*/*", "accept-language": "de" } });
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    const page = await answer.text();
    expect(page).toContain('<html lang="de"');
    expect(page).toContain("data:image/svg+xml;base64,");
    expect(page).toContain('href="openid-credential-offer://?credential_offer_uri=');
    const href = /href="(https:\/\/lcw\.app\/request[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const request = JSON.parse(new URL(href).searchParams.get("request") ?? "");
    expect(request).toEqual({ credentialRequestOrigin: ISSUER, protocols: await protocolsOf(url) });
  });

  test("is a page or JSON, whichever the weights of Accept prefer", async () => {
    const { url } = await linked("quin");
    const typeFor = async (accept: string) =>
      (await send(url, { headers: { accept } })).headers.get("content-type");
    for (const accept of [
      "text/html;q=0.5, application/json",
      "application/json, */*",
      "application/ld+json",
    ])
      expect(await typeFor(accept)).toMatch(/^application\/json/);
    for (const accept of ["text/html, application/json", "application/json;q=0.9, text/html", "*/*"])
      expect(await typeFor(accept)).toMatch(/^text\/html/);
  });

  test("may be requested by wallets from any origin", async () => {
    const { url } = await linked("dee");
    for (const each of [url, (await protocolsOf(url)).vcapi]) {
      const preflight = await send(each, {
        method: "OPTIONS",
        headers: { origin: "https://wallet.test", "access-control-request-method": "POST" },
      });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    }
  });
});

const linksIn = (html: string) =>
  readHtml(html).tags.flatMap(({ name, attributes: { href = "" } }) => (name === "a" ? [href] : []));

/** Visits a page as a learner's browser does, with the platform's cookies. */
async function visit(username: string, path: string) {
  const [header, payload, signature] = (await tokenOf({ username })).split(".");
  const cookie = `edx-jwt-cookie-header-payload=${header}.${payload}; edx-jwt-cookie-signature=${signature}`;
  return send(`${ISSUER}${path}`, { headers: { cookie, accept: "text/html" }, redirect: "manual" });
}

describe("the page of a learner's own credentials", () => {
  test("leads to the link, which a wallet then uses", async () => {
    const uuid = await issued("ivy");
    const own = linksIn(await (await visit("ivy", "/my-credentials/?lang=de")).text());
    const path = `/download/credential/${uuid}/wallet?lang=de`;
    expect(own).toContain(`..${path}`);
    const answer = await visit("ivy", path);
    const link = answer.headers.get("location") ?? "";
    expect([answer.status, link]).toEqual([
      302,
      expect.stringMatching(/\/wallet\/[\w-]{60,}\/\?iuv=1&lang=de$/),
    ]);
    expect(await (await send(link, { headers: { accept: "text/html" } })).text()).toContain(
      '<html lang="de"',
    );
    const exchanged = (await (await post((await protocolsOf(link)).vcapi, {})).json()) as Json;
    expect(exchanged.verifiablePresentation.verifiableCredential).toHaveLength(1);
  });

  test("has no link if no wallet can accept the credential, and shows nobody else's", async () => {
    const uuid = await issued("jan");
    await academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
    expect(linksIn(await (await visit("jan", "/my-credentials/")).text()).join()).not.toContain("wallet");
    expect((await visit("jan", `/download/credential/${uuid}/wallet`)).status).toBe(410);
    const other = await issued("kai");
    expect((await visit("jan", `/download/credential/${other}/wallet`)).status).toBe(404);
    expect((await send(`${ISSUER}/download/credential/${other}/wallet`, { redirect: "manual" })).status).toBe(
      403,
    );
  });
});

test("the email about a credential has the link, unless its type has no badges", async () => {
  const service = await openAcademy({ signs: true, worker: true, settings: { PUBLIC_URL: ISSUER } });
  try {
    await service.enrol("ana");
    await service.report({
      case: "learner",
      value: { username: "ana", fullName: "Ana", email: "ana@example.org", locale: "en" },
    });
    const directory = join(service.service.app.config.dataDir, "mails");
    const issueAndRead = async (username: string) => {
      const { uuid } = await service.issue(username);
      const emails = async () =>
        (await readdir(directory).catch(() => [])).filter((name) => name.startsWith(uuid));
      await expect.poll(emails, { timeout: 60_000 }).toHaveLength(1);
      const [name = ""] = await emails();
      return (await readFile(join(directory, name), "utf8")).replaceAll("=\r\n", "");
    };
    expect(await issueAndRead("ana")).toMatch(/\/wallet\/[\w-]{60,}\/\?iuv=(3D)?1/);
    await service.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: service.configurationId, customOptions: { open_badge: false } },
    });
    await service.enrol("ben");
    await service.report({
      case: "learner",
      value: { username: "ben", fullName: "Ben", email: "ben@example.org", locale: "en" },
    });
    expect(await issueAndRead("ben")).not.toContain("/wallet/");
  } finally {
    await service.service.stop();
  }
});

describe("a credential without an Open Badge", () => {
  const wordsOf = (html: string) => readHtml(html).text.replace(/\s+/g, " ");

  const setOpenBadge = (open_badge: false | Record<string, never>) =>
    academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: academy.configurationId, customOptions: { open_badge } },
    });

  /** Returns the wallet link of a credential, whether or not its holder has requested the link before. */
  async function linkTo(uuid: string) {
    const { secrets, database } = academy.service.app;
    const row = await database.knex("credentials").where({ uuid }).first("link_version");
    return walletLink(ISSUER, secrets.urlSigningSecrets[0], { uuid, linkVersion: row.link_version });
  }

  /** Returns the text of the page, and the error that a wallet receives. */
  async function reported(url: string, language = "en") {
    const page = await send(url, { headers: { accept: "text/html", "accept-language": language } });
    const wallet = await send(url);
    const { detail } = (await wallet.json()) as Json;
    return { page: [page.status, wordsOf(await page.text())], wallet: [wallet.status, detail] };
  }

  test("of a type without badges: the learner's page has no link, and the link's page gives the reason", async () => {
    await setOpenBadge(false);
    const uuid = await issued("lea");
    await setOpenBadge({});
    const own = await (await visit("lea", "/my-credentials/")).text();
    expect(own).toContain(uuid);
    expect(own).not.toMatch(/\/wallet\b/);
    const link = await linkTo(uuid);
    expect(await reported(link)).toEqual({
      page: [400, expect.stringContaining("Credentials of this kind aren’t available for wallet apps.")],
      wallet: [400, "Credentials of this type have no Open Badge."],
    });
    expect((await reported(link, "ar")).page[1]).toContain("شهادات هذا النوع غير متاحة لتطبيقات المحافظ");
    const page = await visit("lea", `/download/credential/${uuid}/wallet`);
    expect([page.status, wordsOf(await page.text())]).toEqual([
      400,
      expect.stringContaining("aren’t available for wallet apps"),
    ]);
    expect((await academy.credentials.getCredential({ uuid })).hasOpenBadge).toBe(false);
  });

  test.each([
    [
      "withdrawn",
      "This credential was withdrawn, so wallet apps can no longer add it.",
      410,
      "update credentials set status = 'invalidated', invalidation_reason = 'Misspelt.', invalidated_at = now(), invalidated_by = 'registrar' where uuid = ?",
    ],
    [
      "issued by another system",
      "Another system issued this credential",
      400,
      "update credentials set imported_at = now(), options = options - 'open_badge' where uuid = ?",
    ],
  ])("that was %s: the same", async (what, sentence, status, sql) => {
    const username = what.replaceAll(" ", "-");
    const { uuid, url } = await linked(username);
    expect((await academy.credentials.getCredential({ uuid })).hasOpenBadge).toBe(true);
    await academy.service.app.database.knex.raw(sql, [uuid]);
    const own = await (await visit(username, "/my-credentials/")).text();
    expect(own).not.toMatch(/\/wallet\b/);
    expect((await reported(url)).page).toEqual([status, expect.stringContaining(sentence)]);
  });

  test("whose learner was erased: the same", async () => {
    const { uuid, url } = await linked("mia");
    const platform = academy.service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.eraseLearner({ username: "mia" });
    expect(await linkTo(uuid)).not.toBe(url); // erasing also revokes the link
    expect((await reported(url)).page).toEqual([410, expect.stringContaining("data was erased here")]);
  });

  test("because the service has no HTTPS: its holder is informed of the reason and of alternatives", async () => {
    const uuid = await issued("pia");
    const plain = await startTestService({
      beside: academy.service,
      signs: true,
      settings: { PUBLIC_URL: "http://wallets.test" },
    });
    try {
      const authorization = `Bearer ${await tokenOf({ username: "pia" })}`;
      const requested = (path: string) => fetch(`${plain.httpUrl}${path}`, { headers: { authorization } });
      for (const part of ["wallet", "badge.jwt"]) {
        const page = await requested(`/download/credential/${uuid}/${part}`);
        expect(page.status).toBe(400);
        const text = await page.text();
        expect(part === "wallet" ? wordsOf(text) : JSON.parse(text).detail).toContain(
          "This service has no HTTPS address, which wallet apps and JWTs need.",
        );
      }
      expect((await requested(`/download/credential/${uuid}/badge.png`)).status).toBe(200);
      expect(await (await requested("/my-credentials/")).text()).not.toMatch(/\/wallet\b/);
    } finally {
      await plain.stop();
    }
  });

  test("but an expired one has a link: the badge states its expiry", async () => {
    const { uuid, url } = await linked("noa");
    const { knex } = academy.service.app.database;
    await knex.raw(
      "update credentials set valid_until = date_trunc('second', now() - interval '1 hour') where uuid = ?",
      [uuid],
    );
    expect(linksIn(await (await visit("noa", "/my-credentials/")).text()).join()).toContain("/wallet");
    const { verifiablePresentation } = (await (
      await post((await protocolsOf(url)).vcapi, {})
    ).json()) as Json;
    expect(verifiablePresentation.verifiableCredential[0].validUntil).toMatch(/Z$/);
  });
});

describe("a link is refused", () => {
  /** Returns the statuses with which each URL of the link responds to a wallet. */
  async function answers(url: string): Promise<number[]> {
    const base = url.replace(/\?.*$/, "");
    const [link, offer, exchange, page] = await Promise.all([
      send(url),
      send(`${base}offer`),
      post(`${base}exchange`, {}),
      send(url, { headers: { accept: "text/html" } }),
    ]);
    return [link.status, offer.status, exchange.status, page.status];
  }

  test("that is forged, or made for downloads; nor does it download", async () => {
    const { uuid, url } = await linked("eli");
    const token = new URL(url).pathname.split("/")[2] ?? "";
    const bytes = Buffer.from(token, "base64url");
    for (const at of [0, 17, 51]) {
      const forged = Buffer.from(bytes);
      forged[at] = (forged[at] ?? 0) ^ 1;
      expect(await answers(url.replace(token, forged.toString("base64url")))).toEqual([404, 404, 404, 404]);
    }
    const secret = academy.service.app.secrets.urlSigningSecrets[0];
    const { linkVersion } = await academy.service.app.database
      .knex("credentials")
      .where({ uuid })
      .first({ linkVersion: "link_version" });
    const emailed = new URL(downloadLink(ISSUER, secret, { uuid, linkVersion })).pathname.split("/")[2] ?? "";
    expect(await answers(url.replace(token, emailed))).toEqual([404, 404, 404, 404]);
    expect((await send(`${ISSUER}/download/${token}/`, { redirect: "manual" })).status).toBe(404);
    expect(await answers(url)).toEqual([200, 200, 200, 200]);
  });

  test("after links were revoked", async () => {
    const { uuid, url } = await linked("fay");
    await academy.credentials.revokeDownloadLinks({ uuid });
    expect(await answers(url)).toEqual([404, 404, 404, 404]);
  });

  test("after the credential was invalidated, or its learner erased; nor does an offer made before", async () => {
    const { uuid, url } = await linked("gil");
    const offer = (await (
      await send((await protocolsOf(url)).vcapi.replace("exchange", "offer"))
    ).json()) as Json;
    const code = offer.grants[GRANT]["pre-authorized_code"];
    await academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
    expect(await answers(url)).toEqual([410, 410, 410, 410]);
    const form = new URLSearchParams({ grant_type: GRANT, "pre-authorized_code": code }).toString();
    const redeemed = await post(`${ISSUER}/openid4vci/token`, form, "application/x-www-form-urlencoded");
    expect([redeemed.status, await redeemed.json()]).toMatchObject([400, { error: "invalid_grant" }]);

    const other = await linked("hal");
    const platform = academy.service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.eraseLearner({ username: "hal" });
    expect(await answers(other.url)).toEqual([410, 410, 410, 410]);
    const body = await (await send(other.url)).text();
    expect(body).not.toContain("hal");
  });
});

describe("an exchange refuses", () => {
  let vcapi: string;
  let offer: string;
  beforeAll(async () => {
    ({ vcapi } = await protocolsOf((await linked("ida")).url));
    offer = vcapi.replace(/exchange$/, "offer");
  });

  test.each([
    ["a presentation that it did not ask for", { verifiablePresentation: {} }, "application/json", 400],
    ["a list", [], "application/json", 400],
    ["null", null, "application/json", 400],
    ["what is no JSON", "{", "application/json", 400],
    ["a form", "a=b", "application/x-www-form-urlencoded", 400],
    ["more than 32 KiB", `{"a": "${"x".repeat(40_000)}"}`, "application/json", 413],
  ])("%s", async (_what, body, contentType, status) => {
    const answer = await post(vcapi, body, contentType);
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain("verifiableCredential");
  });

  test("a GET, and an offer refuses a POST", async () => {
    expect((await send(vcapi)).status).toBe(405);
    expect((await post(offer, {})).status).toBe(405);
  });

  test("a code of an offer twice, or with a transaction code", async () => {
    const codeOf = async () =>
      ((await (await send(offer)).json()) as Json).grants[GRANT]["pre-authorized_code"] as string;
    const redeem = async (code: string, more = {}) => {
      const form = new URLSearchParams({ grant_type: GRANT, "pre-authorized_code": code, ...more });
      const answer = await post(
        `${ISSUER}/openid4vci/token`,
        form.toString(),
        "application/x-www-form-urlencoded",
      );
      return [answer.status, ((await answer.json()) as Json).error];
    };
    const [first, second] = [await codeOf(), await codeOf()];
    expect(first).not.toBe(second);
    expect(await redeem(first)).toEqual([200, undefined]);
    expect(await redeem(first)).toEqual([400, "invalid_grant"]);
    expect(await redeem(second, { tx_code: "123456" })).toEqual([400, "invalid_request"]);
    expect(await redeem(second)).toEqual([200, undefined]);
  });
});
