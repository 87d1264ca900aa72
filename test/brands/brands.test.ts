import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import PostalMime from "postal-mime";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { LINK_BACKGROUNDS, legibleAccent } from "#foundation/color/legible-accent.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService, EmailKind } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { assetParts } from "../assets/asset-parts.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { boundedToken, startTestService } from "../support/service.js";

const ORGANISATION = /:([^+]*)/.exec(COURSE)?.[1] ?? "";
const academy = givenAcademy({ worker: true });

const upload = (slug: string, bytes: Uint8Array) =>
  academy.configurations.uploadAsset(assetParts(slug, bytes));

const visit = (path: string) => fetch(`${academy.service.httpUrl}${path}`);

async function refusal(call: Promise<unknown>): Promise<[Code, string]> {
  const { code, rawMessage } = ConnectError.from(await call.catch((error) => error));
  return [code, rawMessage];
}

const logo = createCanvas(40, 20).toBuffer("image/png");
const brand = {
  organisation: ORGANISATION,
  name: "Faculty of <Arts>",
  accentColor: "#FFD400",
  logo: "crest",
  contact: "help@arts.example",
  imprintUrl: "https://arts.example/imprint",
};

beforeAll(async () => {
  await upload("crest", logo);
  await academy.configurations.updateBrand({ brand: { contact: "help@uni.example", name: "Uni" } });
  await academy.configurations.updateBrand({ brand });
});

describe("an organisation's pages and emails", () => {
  let issued: string;
  let page: Response;
  let text: string;

  beforeAll(async () => {
    await academy.enrol("ana");
    await academy.report({
      case: "learner",
      value: { username: "ana", fullName: "Ana", email: "ana@uni.test" },
    });
    const { uuid } = await academy.issue("ana");
    issued = uuid;
    const { verifyUuid } = await vi.waitFor(
      async () => {
        const credential = await academy.credentials.getCredential({ uuid });
        expect(credential.emailTime).toBeDefined();
        return credential;
      },
      { timeout: 60_000, interval: 100 },
    );
    page = await visit(`/verify/${verifyUuid}/`);
    text = await page.text();
  });

  test("have its name, its links, and its colour if it is legible", () => {
    expect(text).toContain("<bdi>Faculty of &lt;Arts&gt;</bdi>");
    expect(text).toContain('href="mailto:help@arts.example"');
    expect(text).toContain('href="https://arts.example/imprint"');
    expect(text).toContain(`--accent: ${legibleAccent("#ffd400", LINK_BACKGROUNDS.light).color}`);
    expect(text).toContain("--accent: #ffd400"); // on a dark background
  });

  test("have its logo, and may load nothing else", async () => {
    const [, url = ""] = /<p class="platform"><img class="logo" src="([^"]+)"/.exec(text) ?? [];
    expect(page.headers.get("content-security-policy")).toMatch(/img-src 'self' data:;/);
    const answer = await visit(new URL(url).pathname);
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(logo);
  });

  test("show a picture of the document in shared links while it is valid", async () => {
    const [, picture = ""] = /<meta property="og:image" content="([^"]+)"/.exec(text) ?? [];
    const [, oembed = ""] = /type="application\/json\+oembed" href="([^"]+)"/.exec(text) ?? [];
    const pathOf = (address: string) => address.replaceAll("&amp;", "&").replace(/^https?:\/\/[^/]+/, "");
    const [shown, again] = await Promise.all([visit(pathOf(picture)), visit(pathOf(picture))]);
    const bytes = Buffer.from(await shown.arrayBuffer());
    expect(Buffer.from(await again.arrayBuffer())).toEqual(bytes);
    expect(shown.headers.get("cache-control")).toBe("no-cache");
    const { width, height } = await loadImage(bytes);
    expect([width, height]).toEqual([1200, 630]);
    const whole = await visit(pathOf(picture).replace("card.png", "picture.png"));
    const page = await loadImage(Buffer.from(await whole.arrayBuffer()));
    expect([page.width, page.height]).toEqual([1198, 848]); // A4 in whole points (842 x 596), at a larger scale
    expect(whole.headers.get("etag")).not.toBe(shown.headers.get("etag"));
    const held = { "if-none-match": shown.headers.get("etag") ?? "" };
    expect((await fetch(shown.url, { headers: held })).status).toBe(304);
    const card = await (await visit(pathOf(oembed))).json();
    expect(card).toMatchObject({
      type: "link",
      provider_name: "Faculty of <Arts>",
      thumbnail_url: picture,
      thumbnail_width: width,
      thumbnail_height: height,
    });
    expect(JSON.stringify([card, text.split("</head>")[0]])).not.toContain("Ana");
    expect((await visit("/oembed?url=https://elsewhere.example/")).status).toBe(404);
    expect((await visit(`${pathOf(oembed)}&format=json`)).status).toBe(200);
    expect((await visit(pathOf(oembed).replace("=json", "=xml"))).status).toBe(501);
  });

  test("have them in emails, with the logo and the certificate inside", async () => {
    const directory = join(academy.service.app.config.dataDir, "mails");
    const [name = ""] = await readdir(directory);
    const sentEmail = await PostalMime.parse(await readFile(join(directory, name)));
    expect(sentEmail.text).toContain("-- \nFaculty of <Arts>\nContact: help@arts.example\n");
    expect(sentEmail.html).toContain('<img src="cid:logo"');
    expect(sentEmail.html).toContain('<span dir="auto">Faculty of &lt;Arts&gt;</span>');
    expect(sentEmail.html).toContain('<img src="cid:certificate"');
    expect(sentEmail.attachments).toMatchObject([
      { contentId: "<logo>", disposition: "inline" },
      { contentId: "<certificate>", disposition: "inline", mimeType: "image/png" },
    ]);
    const [first, second] = sentEmail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer));
    expect(first).toEqual(logo);
    const { width, height } = await loadImage(second as Buffer);
    expect([width, height]).toEqual([839, 593]);
  });

  test("have its logo and colour on documents by default, fixed at issue", async () => {
    const { knex } = academy.service.app.database;
    const [row] = await knex("credentials").where({ uuid: issued });
    expect(row.options).toMatchObject({
      logo: "crest",
      accent_color: legibleAccent("#ffd400", "#ffffff").color,
    });
    const sha256 = createHash("sha256").update(logo).digest("hex");
    expect(row.assets).toEqual({ crest: sha256 });
    expect(row.print_settings.issuerLogo).toBe(sha256);
    const elements = async (customOptions: JsonObject) => {
      const { layout } = await academy.configurations.previewCredential({
        source: { case: "configurationId", value: academy.configurationId },
        customOptions,
        layoutOnly: true,
      });
      return JSON.stringify(layout?.elements.map(({ option }) => option));
    };
    expect(await elements({})).toContain('"logo"');
    expect(await elements({ logo: null })).not.toContain('"logo"');
  });

  test("have its name, contact and legal notice on documents that name them, fixed at issue", async () => {
    const { configurations, credentials, configurationId } = academy;
    const shown = async (customOptions: JsonObject) => {
      const { layout } = await configurations.previewCredential({
        source: { case: "configurationId", value: configurationId },
        customOptions,
        layoutOnly: true,
      });
      return layout?.elements.map(({ text }) => text?.words ?? "").join("\n");
    };
    const text = "{issuer_name}\n{issuer_contact} · {issuer_imprint}";
    const design = { paper: "#ffffff", text_elements: { own: { text, y: 60 } } };
    const said = "Faculty of <Arts>\nhelp@arts.example · arts.example/imprint";
    expect(await shown(design)).toContain(said);
    expect(await shown({ ...design, issuer: { name: "Arts" } })).toContain("Arts\nhelp@arts.example");
    expect(await shown({ ...design, issuer: null })).not.toContain("Faculty");
    const places = { facts: { x: 400, y: 200, width: 500 } };
    const facts = ["issuer_contact", "issuer_imprint"];
    const row = await shown({ paper: "#ffffff", places, facts });
    for (const words of ["Contact", "help@arts.example", "Legal notice", "arts.example/imprint"])
      expect(row).toContain(words);

    await configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: configurationId, customOptions: design },
      updateMask: { paths: ["custom_options"] },
    });
    await academy.enrol("bea");
    const { uuid } = await credentials.issueCredential({
      configurationId,
      username: "bea",
    });
    const { knex } = academy.service.app.database;
    const [{ options, print_settings }] = await knex("credentials").where({ uuid });
    expect(options.issuer).toEqual({
      name: brand.name,
      contact: brand.contact,
      imprint: brand.imprintUrl,
    });
    expect(print_settings.issuerEmail).toBe(brand.contact);
    const [before] = await knex("credentials").where({ uuid: issued });
    expect(before.options).not.toHaveProperty("issuer"); // this credential's design prints nothing about the issuer
    await configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: configurationId, customOptions: {} },
      updateMask: { paths: ["custom_options"] },
    });
  });

  test("don't change other pages, which keep the branding of the service", async () => {
    const form = await (await visit("/verify/")).text();
    expect(form).toContain("<bdi>Uni</bdi>");
    expect(form).toContain('href="mailto:help@uni.example"');
    expect(form).not.toContain("Arts");
  });
});

describe("a brand", () => {
  test("keeps its logo from being deleted, or replaced by a file that is not a logo, until the brand is removed", async () => {
    const { configurations } = academy;
    expect(await refusal(configurations.deleteAsset({ slug: "crest" }))).toEqual([
      Code.FailedPrecondition,
      `Asset crest is in use: the options of the brand of ${ORGANISATION} name it.`,
    ]);
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    expect((await refusal(upload("crest", drawing)))[0]).toBe(Code.FailedPrecondition);
    const other = { organisation: "Other", logo: "crest" };
    const { etag } = await configurations.updateBrand({ brand: other });
    expect((await refusal(configurations.updateBrand({ brand: { ...other, etag: "x" } })))[0]).toBe(
      Code.Aborted,
    );
    await configurations.updateBrand({ brand: { organisation: "Other", etag } });
    const { brands } = await configurations.listBrands({});
    expect(brands.map(({ organisation }) => organisation)).toEqual(["", ORGANISATION]);
  });

  test("keeps the address of its former logo, because badges name it", async () => {
    const { configurations } = academy;
    const later = createCanvas(41, 20).toBuffer("image/png");
    await upload("crest", later);
    for (const bytes of [logo, later]) {
      const answer = await visit(`/brand/${createHash("sha256").update(bytes).digest("hex")}`);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    }
    expect((await visit(`/brand/${"0".repeat(64)}`)).status).toBe(404);
    const { brands } = await configurations.listBrands({});
    expect(brands.map(({ logo }) => logo)).toContain("crest");
  });

  test("is refused beyond a thousand, and the existing ones can still be changed", async () => {
    const { knex } = academy.service.app.database;
    await knex.raw(
      `insert into brands (organisation, name, accent_color, contact, imprint_url)
       select 'many' || number, 'x', '', '', '' from generate_series(1, 1000) number`,
    );
    const { configurations } = academy;
    const [code, message] = await refusal(
      configurations.updateBrand({ brand: { organisation: "New", name: "x" } }),
    );
    expect([code, message]).toEqual([
      Code.FailedPrecondition,
      expect.stringContaining("1000 organisations have their own branding"),
    ]);
    await configurations.updateBrand({ brand: { organisation: "many1", name: "y" } });
    await knex("brands").where("organisation", "like", "many%").delete();
  });

  test.each([
    ["accent_color", { accentColor: "blue" }],
    ["logo", { logo: "nothing" }],
    ["logo", { logo: "../x" }],
    ["contact", { contact: "javascript:alert(1)" }],
    ["contact", { contact: "a@b.example, c@d.example" }],
    ["imprint_url", { imprintUrl: "http://arts.example/" }],
    ["imprint_url", { imprintUrl: "https://harbour.example@evil.example/" }],
    ["contact", { contact: "https://u:p@evil.example/" }],
    ["organisation", { organisation: "a+b" }],
    ["name", { name: "x".repeat(256) }],
  ])("with a wrong %s is refused: %o", async (field, wrong) => {
    const [code, message] = await refusal(academy.configurations.updateBrand({ brand: wrong }));
    expect([code, message]).toEqual([Code.InvalidArgument, expect.stringContaining(`brand.${field}`)]);
  });

  test("of another organisation is hidden from staff restricted to one", async () => {
    const service = await startTestService({
      beside: academy.service,
      settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
    });
    onTestFinished(() => service.stop());
    const bounded = service.client(ConfigurationService, await boundedToken(service, ["Mine"]));
    expect((await bounded.listBrands({})).brands.map(({ organisation }) => organisation)).toEqual([""]);
    expect(await refusal(bounded.updateBrand({ brand: { organisation: ORGANISATION, name: "X" } }))).toEqual([
      Code.NotFound,
      "brand.organisation is not one of your organisations.",
    ]);
    expect((await refusal(bounded.updateBrand({ brand: { name: "X" } })))[0]).toBe(Code.NotFound);
    expect(await bounded.updateBrand({ brand: { organisation: "Mine", name: "X" } })).toMatchObject({
      name: "X",
    });
    await bounded.updateBrand({ brand: { organisation: "Mine" } });
  });

  test("is tried in an email of each kind, in the reader's language", async () => {
    const request = (kind: EmailKind, more = {}) =>
      academy.credentials.previewEmail({
        kind,
        language: "de",
        brand: { ...brand, accentColor: "#123456" },
        ...more,
      });
    // An address must not contain a placeholder for the secret link of the email.
    const contact = "a{link}{learner}{further0}{own0}@arts.example";
    const { html } = await request(EmailKind.AVAILABLE, {
      brand: { ...brand, contact },
      mailText: "Own words",
    });
    expect(html).toContain(`href="mailto:${contact}">${contact}</a>`);
    const available = await request(EmailKind.AVAILABLE, { mailText: "Gut gemacht <b>" });
    expect(available.text).toContain("Gut gemacht <b>");
    expect(available.html).toContain("Gut gemacht &lt;b&gt;");
    expect(available.html).toContain("background-color:#123456");
    const shown = Object.fromEntries(available.images.map(({ contentId, content }) => [contentId, content]));
    for (const contentId of ["logo", "certificate"])
      expect(available.html).toContain(`src="cid:${contentId}"`);
    expect(Object.keys(shown)).toEqual(["logo", "certificate"]);
    const { content } = await academy.configurations.getAsset({ slug: "crest" });
    expect(Buffer.from(shown.logo ?? [])).toEqual(Buffer.from(content));
    const without = await request(EmailKind.EXPIRY, { brand: { ...brand, logo: "nothing" } });
    expect([without.images, without.html.includes("cid:")]).toEqual([[], false]);
    for (const kind of [EmailKind.EXPIRY, EmailKind.WITHDRAWAL])
      expect((await request(kind)).text).toContain("Impressum: https://arts.example/imprint");
  });
});

test("a picture reveals no more of a learner than the page, and disappears with the credential", async () => {
  const { configurations, credentials, configurationId } = academy;
  const customOptions = {
    logo: null,
    paper: "#ffffff",
    qr: false,
    text_elements: { id: { text: "{learner_id} {grade} {learner.born}", y: 100, size: 40 }, date: false },
  };
  await configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: configurationId, customOptions },
    updateMask: { paths: ["custom_options"] },
  });
  const pictures: Buffer[] = [];
  let last = { uuid: "", verifyUuid: "" };
  for (const more of [{ learnerId: "M-4711", attributes: { born: "1999-12-31" } }, {}]) {
    const username = `same${pictures.length}`;
    await academy.report({ case: "learner", value: { username, fullName: "Same Name", ...more } });
    last = await credentials.issueCredential({ configurationId, username, skipEligibilityCheck: true });
    await vi.waitFor(
      async () => expect((await visit(`/verify/${last.verifyUuid}/picture.png`)).status).toBe(200),
      { timeout: 60_000, interval: 100 },
    );
    const answer = await visit(`/verify/${last.verifyUuid}/picture.png`);
    pictures.push(Buffer.from(await answer.arrayBuffer()));
  }
  expect(pictures[0]).toEqual(pictures[1]);
  await credentials.invalidateCredential({ uuid: last.uuid, reason: "Issued in error" });
  expect((await visit(`/verify/${last.verifyUuid}/picture.png`)).status).toBe(404);
  const page = await (await visit(`/verify/${last.verifyUuid}/`)).text();
  expect(page).not.toContain("picture.png");
});

describe("the email texts of an organisation", () => {
  const german = { kind: EmailKind.EXPIRY, language: "de" };

  test("are sent in that language, with their placeholders filled, and the other texts are the service's", async () => {
    const { credentials } = academy;
    const texts = [
      {
        ...german,
        subject: "{context_name}: nur noch bis {last_day}",
        heading: "",
        introduction: "Eins <b>\nZwei",
      },
    ];
    const { etag } = await credentials.updateEmailTexts({ emailTexts: { texts } });
    const [text] = (await credentials.getEmailTexts({})).texts;
    const sentEmail = await credentials.previewEmail({ ...german, text: text ?? {} });
    expect(sentEmail.subject).toMatch(/: nur noch bis \d+\. /);
    expect(sentEmail.text).toContain("Eins <b>\n\nZwei\n\n");
    expect(sentEmail.html).toContain("<p>Eins &lt;b&gt;</p>\n<p>Zwei</p>");
    expect(sentEmail.text).toContain(sentEmail.usual?.heading);
    expect(sentEmail.usual?.introduction).toContain("{last_day}");
    const { emailTexts } = academy.service.app;
    expect(emailTexts.of(ORGANISATION, "expiry", "de").introduction).toBe("Eins <b>\nZwei");
    await credentials.updateEmailTexts({
      emailTexts: { organisation: ORGANISATION, texts: [{ ...german, introduction: "Hier" }] },
    });
    expect(emailTexts.of(ORGANISATION, "expiry", "de")).toMatchObject({
      subject: texts[0]?.subject,
      introduction: "Hier",
    });
    expect(emailTexts.of(ORGANISATION, "expiry", "fr")).toEqual({
      subject: "",
      heading: "",
      introduction: "",
    });
    expect((await refusal(credentials.updateEmailTexts({ emailTexts: { texts: [], etag: "x" } })))[0]).toBe(
      Code.Aborted,
    );
    await credentials.updateEmailTexts({ emailTexts: { texts: [], etag } });
    expect((await credentials.getEmailTexts({})).texts).toEqual([]);
  });

  test.each([
    ["texts[0].subject", [{ ...german, subject: "two\nlines" }]],
    ["texts[0].heading", [{ ...german, heading: "{reason}" }]],
    ["texts[0].introduction", [{ ...german, introduction: "an open { brace" }]],
    ["texts[0].introduction", [{ ...german, introduction: "Nur noch bis {last_day." }]],
    ["texts[0].language", [{ kind: EmailKind.EXPIRY, subject: "x" }]],
    [
      "texts[1]",
      [
        { ...german, subject: "x" },
        { ...german, subject: "y" },
      ],
    ],
  ])("with a wrong %s is refused: %o", async (field, texts) => {
    const [code, message] = await refusal(academy.credentials.updateEmailTexts({ emailTexts: { texts } }));
    expect([code, message]).toEqual([Code.InvalidArgument, expect.stringContaining(`email_texts.${field}`)]);
  });

  test("of another organisation are hidden from staff restricted to one", async () => {
    const service = await startTestService({
      beside: academy.service,
      settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
    });
    onTestFinished(() => service.stop());
    const bounded = service.client(CredentialService, await boundedToken(service, ["Mine"]));
    await bounded.getEmailTexts({});
    expect((await refusal(bounded.getEmailTexts({ organisation: ORGANISATION })))[0]).toBe(Code.NotFound);
    expect((await refusal(bounded.updateEmailTexts({ emailTexts: {} })))[0]).toBe(Code.NotFound);
    const emailTexts = { organisation: "Mine", texts: [{ ...german, heading: "Unser" }] };
    expect((await bounded.updateEmailTexts({ emailTexts })).texts).toHaveLength(1);
  });
});

test.each([
  ["#ffd400", LINK_BACKGROUNDS.light],
  ["#000000", LINK_BACKGROUNDS.dark],
  ["#777777", LINK_BACKGROUNDS.light],
  ["#ffffff", "#ffffff"],
])("%s becomes legible on %s", (color, paper) => {
  const accent = legibleAccent(color, paper);
  expect(contrast(accent.color, paper)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(accent.color, accent.ink)).toBeGreaterThanOrEqual(4.5);
});

test("a legible colour stays", () => {
  expect(legibleAccent("#1f5468", LINK_BACKGROUNDS.light)).toEqual({ color: "#1f5468", ink: "#ffffff" });
});

/** Returns the contrast ratio by the formula of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const share = Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
      return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }, 0);
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
