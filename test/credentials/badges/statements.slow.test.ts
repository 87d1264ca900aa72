import { readFile } from "node:fs/promises";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { importJWK, jwtVerify } from "jose";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMakeDocumentBadge } from "#domain/credentials/badges/make-badge.js";
import { checkFile } from "#edges/pages/browser/check-file.js";
import { hasSchema, verifiedByCore } from "../../badges/verifier-core.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { type Academy, COURSE, openAcademy } from "../../support/academy.js";
import { findingsOn, repairOf } from "../../support/health.js";
import { startTestService, tokenOf } from "../../support/service.js";
import { type MovableClock, openMovableClock } from "../validity/movable-clock.js";

const PUBLIC = "https://statements.test";
const PROFILE = {
  url: "https://harbour-light.test/about?lang=en",
  description: "An academy by the sea — “où l'on regarde le ciel”.",
  image: "https://harbour-light.test/logo.png",
};

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Json = any;

let clock: MovableClock;
let academy: Academy;
let staff: string;

beforeAll(async () => {
  clock = await openMovableClock();
  await clock.putOn("-500 days");
  academy = await openAcademy({
    signs: true,
    settings: {
      DATABASE_URL: clock.url,
      PUBLIC_URL: PUBLIC,
      PLATFORM_NAME: "Harbour Light",
      ISSUER_URL: PROFILE.url,
      ISSUER_DESCRIPTION: PROFILE.description,
      ISSUER_IMAGE: PROFILE.image,
    },
  });
  staff = await tokenOf({ username: "registrar", isStaff: true });
  await academy.report({
    case: "course",
    value: {
      courseKey: COURSE,
      displayName: "Course One",
      gradingPolicy: ["Homework", "10", "Lab", "Exam"].map((assignmentType) => ({
        assignmentType,
        weight: assignmentType === "Exam" ? 0.85 : 0.05,
      })),
    },
  });
});
afterAll(async () => {
  await academy.service.stop();
  await clock.drop();
});

async function issued(
  username: string,
  customOptions: Json = {},
  parts: Parameters<Academy["generate"]>[1] = {},
): Promise<string> {
  await academy.configure(customOptions);
  await academy.enrol(username);
  await academy.report(
    ...["Homework", "10", "Lab", "Extra", "Bonus"].map(
      (assignmentType) =>
        ({
          case: "subsectionGrade",
          value: {
            username,
            courseKey: COURSE,
            usageKey: assignmentType,
            assignmentType,
            earned: 8,
            possible: 10,
          },
        }) as const,
    ),
  );
  const { uuid } = await academy.issue(username);
  await academy.generate(uuid, parts);
  return uuid;
}

async function reissued(uuid: string): Promise<string> {
  const next = await academy.credentials.reissueCredential({ uuid, reason: "Misspelt." });
  await academy.generate(next.uuid);
  return next.uuid;
}

async function fileOf(uuid: string): Promise<{ path: string; bytes: Buffer }> {
  const [path = ""] = await academy.filesOf(uuid);
  return { path, bytes: await readFile(path) };
}

async function downloaded(uuid: string, name: string): Promise<Buffer> {
  const answer = await fetch(`${academy.service.httpUrl}/download/credential/${uuid}/badge.${name}`, {
    headers: { authorization: `Bearer ${staff}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** Extracts the badge from a PNG by the chunks of the format. The text is the last part of an iTXt. */
function inPng(png: Buffer): string | undefined {
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString("latin1", at + 4, at + 8) === "iTXt") return data.toString().split("\0").at(-1);
  }
  return undefined;
}

async function inPdf(bytes: Uint8Array): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const attachments = await document.getAttachments();
  await document.destroy();
  return Buffer.from(attachments["credential.json"].content).toString();
}

const local = (url: string) =>
  url.startsWith(`${PUBLIC}/`) ? academy.service.httpUrl + url.slice(PUBLIC.length) : undefined;

/** Verifies with jose like any JWT, using the key in the issuer's document. */
async function claimsOf(jwt: string): Promise<Json> {
  const { verificationMethod } = (await (
    await fetch(local(`${PUBLIC}/.well-known/did.json`) ?? "")
  ).json()) as Json;
  const { publicKeyJwk } = verificationMethod.find(({ type }: Json) => type === "JsonWebKey2020");
  return (await jwtVerify(jwt, await importJWK(publicKeyJwk, "ES256"), { issuer: "did:web:statements.test" }))
    .payload;
}

/** The requests of the verification page, which checks files in the browser. */
const service: Parameters<typeof checkFile>[1] = {
  async issuer() {
    const { did, keys } = await academy.credentials.getIssuer({});
    return { did, keys };
  },
  statusList: async (number) => (await fetch(local(`${PUBLIC}/status/${number}`) ?? "")).json(),
  byChecksum: () => Promise.reject(new Error("it is no PDF")),
};

const printedDate = (moment: string) =>
  new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(moment));

test.each(["medal", "round", "hexagon"])(
  "a %s is the picture that its badge names, and the picture in which the badge is saved",
  async (shape) => {
    const own = { accent_color: "#7a1f2b", open_badge: { shape } };
    const uuid = await issued(`picture.${shape}`, own);
    const { image } = JSON.parse((await downloaded(uuid, "json")).toString()).credentialSubject.achievement;
    expect(image.id).toBe(`${PUBLIC}/badge-picture/${shape}-7a1f2b.png`);
    const answer = await fetch(local(image.id) ?? "");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const fetched = await pixelsOf(Buffer.from(await answer.arrayBuffer()));
    expect(fetched(0, 0)).toEqual([0, 0, 0, 0]);
    expect(fetched(0.5, 0.5)).toEqual([0x7a, 0x1f, 0x2b, 255]); // the star
    expect(fetched(0.5, 0.2)).toEqual([0xff, 0xfe, 0xfb, 255]); // the face
    // Only the hexagon is transparent to the left of its upper part.
    expect(fetched(0.18, 0.18)[3]).toBe(shape === "hexagon" ? 0 : 255);
    const png = await pixelsOf(await downloaded(uuid, "png"));
    const svg = await pixelsOf(await downloaded(uuid, "svg"));
    for (const [x, y] of [
      [0, 0],
      [0.5, 0.5],
      [0.5, 0.2],
      [0.18, 0.18],
      [0.5, 0.03],
      [0.92, 0.5],
    ] as const) {
      expect(png(x, y)).toEqual(fetched(x, y));
      expect(svg(x, y).map((part) => Math.round(part / 16))).toEqual(
        fetched(x, y).map((part) => Math.round(part / 16)),
      );
    }

    const elsewhere = await issued(`elsewhere.${shape}`, {
      open_badge: { ...own.open_badge, image: "https://pictures.test/b.png" },
    });
    const badge = JSON.parse((await downloaded(elsewhere, "json")).toString());
    expect(badge.credentialSubject.achievement.image.id).toBe("https://pictures.test/b.png");
    expect((await fetch(`${academy.service.httpUrl}/badge-picture/star-7a1f2b.png`)).status).toBe(404);
  },
);

/** Returns the colour of a picture at a point, given as shares of its width and height. */
async function pixelsOf(bytes: Buffer): Promise<(x: number, y: number) => number[]> {
  const image = await loadImage(bytes);
  const context = createCanvas(512, 512).getContext("2d");
  context.drawImage(image, 0, 0, 512, 512);
  return (x, y) => [...context.getImageData(Math.round(x * 511), Math.round(y * 511), 1, 1).data];
}

describe("in each form, foreign verifiers accept the badge of a credential", () => {
  let early: string;
  beforeAll(async () => {
    early = await issued("ria");
    await clock.putOn("500 days");
  });

  test.each<[string, () => Promise<string>, (badge: Json) => void]>([
    [
      "that is plain, and find its issuer's site, words and logo",
      () => issued("ana"),
      ({ issuer, awardedDate, validFrom, validUntil, credentialSubject }) => {
        expect(issuer).toEqual({
          id: "did:web:statements.test",
          type: ["Profile"],
          name: "Harbour Light",
          url: PROFILE.url,
          description: PROFILE.description,
          image: { id: PROFILE.image, type: "Image" },
        });
        expect([awardedDate, validUntil]).toEqual([validFrom, undefined]);
        expect(credentialSubject).not.toHaveProperty("result");
      },
    ],
    [
      "of an organisation that is asked by mail, and find its address",
      async () => {
        await academy.configurations.updateBrand({
          brand: { organisation: "Uni", contact: "help@uni.example" },
        });
        const uuid = await issued("ben");
        await academy.configurations.updateBrand({ brand: { organisation: "Uni" } });
        return uuid;
      },
      ({ issuer }) => expect(issuer.email).toBe("help@uni.example"),
    ],
    [
      "that expires, and find its end",
      () => issued("eva", { validity: "P1Y" }),
      ({ validUntil }) => expect(Date.parse(validUntil)).toBeGreaterThan(Date.now()),
    ],
    [
      "that was reissued, and find the date of its award",
      () => reissued(early),
      ({ awardedDate, validFrom }) =>
        expect(Math.round((Date.parse(validFrom) - Date.parse(awardedDate)) / 86_400_000)).toBe(500),
    ],
    [
      "that names a picture of the service, which everyone can fetch",
      () => issued("hex", { accent_color: "#7A1F2B", open_badge: { shape: "hexagon" } }),
      ({ credentialSubject: { achievement } }) =>
        expect(achievement.image).toEqual({
          id: `${PUBLIC}/badge-picture/hexagon-7a1f2b.png`,
          type: "Image",
        }),
    ],
    [
      "with results, and find them in the order of the grading policy, the others by name, the total last",
      () => issued("lea", { open_badge: { results: true } }),
      ({ credentialSubject: { achievement, result } }) => {
        expect(achievement.resultDescription.map(({ name }: Json) => name)).toEqual([
          ...["homework", "10", "lab", "exam"],
          ...["bonus", "extra"],
          "total",
        ]);
        expect(result.map(({ value }: Json) => value)).toEqual(["80", "80", "80", "90", "80", "80", "88.5"]);
        expect(result.map(({ resultDescription }: Json) => resultDescription)).toEqual(
          achievement.resultDescription.map(({ id }: Json) => id),
        );
      },
    ],
  ])("%s", async (_which, make, look) => {
    const uuid = await make();
    const json = (await downloaded(uuid, "json")).toString();
    const badge = JSON.parse(json);
    look(badge);

    const { checks, errors, fitsSchema } = await verifiedByCore(badge, local);
    expect(errors).toEqual([]);
    expect(checks).toMatchObject({ valid_signature: true, revocation_status: true });
    if ("validUntil" in badge) expect(checks.expiration).toBe(true);
    if (hasSchema) expect(fitsSchema).toBe(true);

    const { iss, jti, sub, nbf, exp, ...said } = await claimsOf((await downloaded(uuid, "jwt")).toString());
    const { proof: _, ...unsigned } = badge;
    expect(said).toEqual(unsigned);
    expect([iss, jti, sub]).toEqual([badge.issuer.id, badge.id, badge.credentialSubject.id]);
    expect(nbf).toBe(Date.parse(badge.validFrom) / 1000);
    expect(exp).toBe("validUntil" in badge ? Date.parse(badge.validUntil) / 1000 : undefined);

    for (const form of ["json", "jwt"]) {
      const checked = await checkFile(new Uint8Array(await downloaded(uuid, form)), service);
      expect(checked).toMatchObject({ outcome: "genuine", facts: { issued: badge.validFrom } });
    }
    expect(inPng(await downloaded(uuid, "png"))).toBe(json);
    expect((await downloaded(uuid, "svg")).toString()).toContain(json);
    expect(await inPdf((await fileOf(uuid)).bytes)).toBe(json);
  });

  test("and refuse it as a JWT after its expiry", async () => {
    await clock.putOn("-400 days");
    const uuid = await issued("old", { validity: "P1Y" });
    await clock.putOn("400 days");
    await expect(claimsOf((await downloaded(uuid, "jwt")).toString())).rejects.toMatchObject({
      code: "ERR_JWT_EXPIRED",
    });
  });
});

describe("a reissued credential", () => {
  test("has the same award date on its page and in the badge within, and so does the next", async () => {
    await clock.putOn("-500 days");
    const first = await issued("gil", { text_elements: { award: { text: "Awarded {award_date}", y: 60 } } });
    await clock.putOn("500 days");
    const { createTime: created } = await academy.credentials.getCredential({ uuid: first });
    const second = await reissued(first);
    for (const uuid of [second, await reissued(second)]) {
      const { bytes } = await fileOf(uuid);
      const badge = JSON.parse(await inPdf(bytes));
      expect(Date.parse(badge.awardedDate)).toBe(Number(created?.seconds) * 1000);
      const { text } = await readPdf(bytes);
      expect(text).toContain(`Awarded ${printedDate(badge.awardedDate)}`);
      expect(text).toContain(printedDate(badge.validFrom));
      expect(printedDate(badge.validFrom)).not.toBe(printedDate(badge.awardedDate));
    }
  });

  test("of an earlier version keeps its badge, so that its file is restored with the same bytes", async () => {
    await clock.putOn("-500 days");
    const first = await issued("kim", { open_badge: { results: true } });
    await clock.putOn("500 days");
    const { uuid } = await academy.credentials.reissueCredential({ uuid: first, reason: "Misspelt." });
    const { app } = academy.service;
    const make = createMakeDocumentBadge({ ...app, publicUrl: app.publicUrl });
    const { knex } = app.database;
    await academy.generate(uuid, {
      makeDocumentBadge: (credential) =>
        make({ ...credential, badgeKey: app.signingKeys?.own.ed25519.fragment ?? "", badgeVersion: null }),
    });
    await knex("credentials").where({ uuid }).update({ badge_version: null });

    const { path, bytes } = await fileOf(uuid);
    const badge = JSON.parse(await inPdf(bytes));
    expect(badge.awardedDate).toBe(badge.validFrom);
    expect(badge.issuer).toEqual({
      id: "did:web:statements.test",
      type: ["Profile"],
      name: "Harbour Light",
      url: PUBLIC,
    });
    const { achievement } = badge.credentialSubject;
    expect(achievement.resultDescription.map(({ name }: Json) => name)).toEqual([
      ...["10", "lab", "exam", "bonus", "extra", "total", "homework"],
    ]);
    expect((await downloaded(uuid, "json")).toString()).toBe(await inPdf(bytes));

    await app.files.delete(path.slice(path.indexOf("learning_credentials/")));
    expect(await repairOf(app)({ kind: "missing-file", credentialUuid: uuid, detail: "" })).toBe("repaired");
    expect((await fileOf(uuid)).bytes.equals(bytes)).toBe(true);
  });

  test("of this version is restored with the same bytes, whatever is known about the issuer by then", async () => {
    const uuid = await reissued(await issued("leo", { open_badge: { results: true } }));
    const { path, bytes } = await fileOf(uuid);
    const renamed = await startTestService({
      beside: academy.service,
      settings: {
        ...{ PUBLIC_URL: PUBLIC, PLATFORM_NAME: "Another", ISSUER_URL: "https://another.test" },
        SIGNING_KEY_FILES: academy.service.app.config.signingKeyFiles.join(","),
      },
    });
    try {
      await renamed.app.files.delete(path.slice(path.indexOf("learning_credentials/")));
      const repair = repairOf(renamed.app);
      expect(await repair({ kind: "missing-file", credentialUuid: uuid, detail: "" })).toBe("repaired");
      expect((await fileOf(uuid)).bytes.equals(bytes)).toBe(true);
    } finally {
      await renamed.stop();
    }
  });
});

test("doctor finds that each badge agrees with its row, until the row names another badge version", async () => {
  const { app } = academy.service;
  // doctor also notices that the clock was moved
  const wrongBadges = async () =>
    (await findingsOn(app)).filter(({ kind }) => kind !== "misdated-credential");
  expect(await wrongBadges()).toEqual([]);
  const uuid = await issued("mia");
  const rows = app.database.knex("credentials").where({ uuid });
  await rows.clone().update({ badge_version: null });
  expect(await wrongBadges()).toMatchObject([
    {
      kind: "mismatched-badge",
      credentialUuid: uuid,
      detail: expect.stringContaining("does not match the credential's row"),
    },
  ]);
});
