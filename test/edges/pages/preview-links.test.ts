import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { type Canvas, createCanvas, loadImage } from "@napi-rs/canvas";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pageLanguages } from "#edges/pages/languages.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { PreviewStamp } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { PreviewLinkService } from "#gen/learning_credentials/v1/preview_link_service_pb.js";
import type { Role } from "#infrastructure/identity/roles.js";
import { readHtml } from "../../email/read-html.js";
import { drawPdf } from "../../rendering/draw-pdf.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { type Academy, COURSE, openAcademy } from "../../support/academy.js";
import { callAtConsole, signIn } from "../console/console-session.js";

const { createPreviewLink, listPreviewLinks, revokePreviewLink } = PreviewLinkService.method;

let logged = "";
let academy: Academy;
let designer: string;

beforeAll(async () => {
  academy = await openAcademy({
    log: pino({ level: "trace" }, { write: (line) => (logged += line) }),
    settings: { PLATFORM_NAME: "Harbour Light", MAX_REQUESTS_PER_MINUTE: "0" },
  });
  await academy.report({ case: "course", value: { courseKey: COURSE, displayName: "Oceans <i>" } });
  designer = await signIn(academy.service, { username: "dora", roles: ["designer"] });
});
afterAll(() => academy.service.stop());
beforeEach(() => academy.service.app.database.knex("preview_links").delete());

const table = () => academy.service.app.database.knex("preview_links");

/** Makes a call in the console. */
async function call<M extends DescMethodUnary>(
  method: M,
  request: MessageInitShape<M["input"]>,
  cookie = designer,
) {
  const { status, body } = await callAtConsole(academy.service, method, request, { cookie });
  return { status, ...JSON.parse(body) };
}

const ofConfiguration = (more: object = {}) => ({ configurationId: academy.configurationId, ...more });

const share = (request: Record<string, unknown> = ofConfiguration(), cookie = designer) =>
  call<DescMethodUnary>(createPreviewLink, request, cookie);

const typed = (customOptions: object = {}) => ({
  credentialType: {
    name: "Diploma",
    retrievalFunc: "learning_credentials.processors.retrieve_subsection_grades",
    generationFunc: "learning_credentials.generators.generate_pdf_credential",
    customOptions,
  },
});

const pathOf = ({ url }: { readonly url: string }) => new URL(url).pathname;

function visit(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${academy.service.httpUrl}${path}`, { redirect: "manual", ...init });
}

async function heard(path: string, headers = {}) {
  const response = await visit(path, { headers });
  const { date: _, "x-request-id": id, ...shown } = Object.fromEntries(response.headers);
  return { status: response.status, headers: shown, body: (await response.text()).replaceAll(id ?? "-", "") };
}

test("a link shows the sample, marked as a preview on the page, in the picture and in the PDF", async () => {
  const link = await share(ofConfiguration({ validDays: 3 }));
  expect(link).toMatchObject({
    status: 200,
    url: expect.stringMatching(/\/preview\/[\w-]{32}\/$/),
    learningContextName: "Oceans <i>",
    configurationId: academy.configurationId,
    createdBy: "dora",
  });
  const days = (Date.parse(link.expireTime) - Date.parse(link.createTime)) / 86_400_000;
  expect(days).toBeCloseTo(3, 5);

  const page = await visit(pathOf(link));
  expect(page.status).toBe(200);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
    "content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  });
  const { text } = readHtml(await page.text());
  expect(text).toContain("Preview of a credential");
  expect(text).toContain("it is not a credential");
  expect(text).toContain("Oceans <i>");

  const pdf = await visit(`${pathOf(link)}preview.pdf`);
  expect(Object.fromEntries(pdf.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": expect.stringContaining('attachment; filename="preview.pdf"'),
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
  });
  const bytes = new Uint8Array(await pdf.arrayBuffer());
  const texts = (await readPdf(bytes)).items.map((item) => item.text);
  expect(texts).toContain("Oceans <i>");

  const png = await visit(`${pathOf(link)}preview.png`);
  expect(png.headers.get("content-type")).toBe("image/png");
  const image = await loadImage(Buffer.from(await png.arrayBuffer()));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const shown = reddishIn(canvas);
  // The same design with the stamp in the corner, for comparison.
  const plain = await academy.configurations.previewCredential({
    source: { case: "configurationId", value: academy.configurationId },
    stamp: PreviewStamp.CORNER,
  });
  const unmarked = reddishIn(await drawPdf(plain.pdf, 2));
  expect(shown).toBeGreaterThan(unmarked + 0.03);
  expect(reddishIn(await drawPdf(bytes, 2))).toBeGreaterThan(unmarked + 0.03);
});

/** Returns the share of pixels in which red prevails, as in the stamp. */
function reddishIn(canvas: Canvas): number {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    if (red - Math.max(green, blue) > 25) count++;
  }
  return count / (data.length / 4);
}

test("its page says so in each language", async () => {
  const { url } = await share(typed());
  for (const language of pageLanguages.all) {
    const response = await visit(`${new URL(url).pathname}?lang=${language.tag}`);
    const source = await response.text();
    const { text } = readHtml(source);
    expect(text, language.tag).toContain(plainLine(language.preview));
    expect(source, language.tag).toContain(`dir="${language.direction}"`);
  }
});

test("links that are unknown, changed, expired or revoked get the same response", async () => {
  const [expired, revoked, intact] = [await share(typed()), await share(typed()), await share(typed())];
  await table()
    .where({ id: expired.id })
    .update({ expires_at: new Date(Date.now() - 1000) });
  expect((await call(revokePreviewLink, { id: revoked.id })).status).toBe(200);
  const path = pathOf(intact);
  const token = path.split("/")[2] ?? "";
  const changed = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
  const wrong = [
    pathOf(expired),
    pathOf(revoked),
    ...[changed, token.slice(0, -1), `${token}A`, token.toLowerCase().replace(/[a-z]/, "Z")],
    ...["x", "..%2f", "%00", "%", "a'b", "<script>", String(intact.id)],
  ].map((each) => (each.startsWith("/") ? each : `/preview/${each}/`));
  for (const file of ["", "preview.pdf", "preview.png"]) {
    const answers = [];
    for (const each of wrong) answers.push(await heard(each + file));
    expect(answers[0]?.status).toBe(404);
    for (const [index, answer] of answers.entries()) expect(answer, wrong[index]).toEqual(answers[0]);
    expect(answers[0]?.headers).toMatchObject({ "x-robots-tag": "noindex", "cache-control": "no-store" });
  }
  expect((await visit(path)).status).toBe(200);
  expect(await call(revokePreviewLink, { id: expired.id + 1000 })).toMatchObject({ status: 404 });
});

test("a revoked link's files are gone at once, although they were read before", async () => {
  const link = await share(typed());
  for (const file of ["preview.pdf", "preview.png"])
    expect((await visit(pathOf(link) + file)).status).toBe(200);
  await call(revokePreviewLink, { id: link.id });
  for (const file of ["preview.pdf", "preview.png"])
    expect((await visit(pathOf(link) + file)).status).toBe(404);
});

test("it continues to show the design that was shared", async () => {
  const link = await share(typed());
  const read = async () => (await visit(`${pathOf(link)}preview.pdf`)).arrayBuffer();
  const before = await read();
  const { configurations } = academy;
  const { id, name, etag } = await configurations.getCredentialType({
    id: (await configurations.getCredentialConfiguration({ id: academy.configurationId })).credentialTypeId,
  });
  const saved = await share(ofConfiguration());
  const first = await (await visit(`${pathOf(saved)}preview.pdf`)).arrayBuffer();
  await configurations.updateCredentialType({
    credentialType: { id, etag, name: `${name} 2` },
    updateMask: { paths: ["name"] },
  });
  expect(await read()).toEqual(before);
  expect(await (await visit(`${pathOf(saved)}preview.pdf`)).arrayBuffer()).toEqual(first);
  expect((await (await visit(pathOf(saved))).text()).includes(`${name} 2`)).toBe(false);
});

test("designers and registrars share, list and revoke; viewers and learners don't", async () => {
  const link = await share();
  const cookies = await Promise.all(
    (["viewer", "registrar", "admin"] as Role[]).map((role) =>
      signIn(academy.service, { username: `a.${role}`, roles: [role] }),
    ),
  );
  const [viewer = "", registrar = "", admin = ""] = cookies;
  expect((await share(ofConfiguration(), viewer)).status).toBe(403);
  expect((await call(listPreviewLinks, {}, viewer)).status).toBe(403);
  expect((await call(revokePreviewLink, { id: link.id }, viewer)).status).toBe(403);
  expect((await share(ofConfiguration(), registrar)).status).toBe(200);
  const { previewLinks } = await call(listPreviewLinks, {}, admin);
  expect(previewLinks.map(({ createdBy }: { createdBy: string }) => createdBy)).toEqual([
    "a.registrar",
    "dora",
  ]);
  expect((await call(revokePreviewLink, { id: link.id }, registrar)).status).toBe(200);
});

test("staff of other organisations neither see nor revoke a link of an offer", async () => {
  const link = await share();
  const ofType = await share(typed());
  const elsewhere = await signIn(academy.service, {
    username: "eve",
    roles: ["designer"],
    organisations: ["Elsewhere"],
  });
  expect((await share(ofConfiguration(), elsewhere)).status).toBe(404);
  expect((await call(revokePreviewLink, { id: link.id }, elsewhere)).status).toBe(404);
  const { previewLinks } = await call(listPreviewLinks, {}, elsewhere);
  expect(previewLinks.map(({ id }: { id: number }) => id)).toEqual([ofType.id]);
  expect((await visit(pathOf(link))).status).toBe(200);
});

test("the link of a credential type is listed with it, and deleted with it", async () => {
  const { configurations } = academy;
  const type = await configurations.createCredentialType({
    credentialType: { ...typed().credentialType, name: "Shared", customOptions: {} },
  });
  const link = await share({ credentialType: { ...typed().credentialType, id: type.id } });
  await share(typed());
  const { previewLinks } = await call(listPreviewLinks, { credentialTypeId: type.id });
  expect(previewLinks.map(({ id }: { id: number }) => id)).toEqual([link.id]);
  await configurations.deleteCredentialType({ id: type.id, etag: type.etag });
  expect((await visit(pathOf(link))).status).toBe(404);
});

test("there are at most 100 links, and expired ones make room", async () => {
  await share(typed());
  await table().insert(
    Array.from({ length: 99 }, (_, index) => ({
      token: String(index).padStart(32, "x"),
      ...{ title: "x", organisation: "", pdf: Buffer.of(1), created_by: "x" },
      expires_at: new Date(Date.now() + 1e6),
    })),
  );
  expect(await share(typed())).toMatchObject({ status: 400, message: expect.stringContaining("100") });
  await table()
    .where({ created_by: "x" })
    .limit(1)
    .update({ expires_at: new Date(0) });
  expect((await share(typed())).status).toBe(200);
});

test("a credential, too long a time and invalid options are refused", async () => {
  expect(await share({ credentialUuid: "00000000-0000-4000-8000-000000000001" })).toMatchObject({
    status: 400,
  });
  expect(await share(ofConfiguration({ validDays: 91 }))).toMatchObject({
    status: 400,
    message: expect.stringContaining("valid_days is 91; it must be 1 to 90"),
  });
  expect(await share(typed({ colour: 1 }))).toMatchObject({ status: 400 });
  expect(await table()).toEqual([]);
});

test("the log and the audit trail have no link", async () => {
  const link = await share();
  await visit(pathOf(link));
  await visit(`${pathOf(link)}preview.png`);
  await call(revokePreviewLink, { id: link.id });
  const token = pathOf(link).split("/")[2] ?? "";
  expect(logged).toContain("GET /preview/");
  expect(logged).not.toContain(token);
  const admin = await signIn(academy.service, { username: "root", roles: ["admin"] });
  const trail = async () =>
    JSON.stringify(await call(AdministrationService.method.listAuditEntries, { pageSize: 10 }, admin));
  await expect.poll(trail).toContain(`preview link:${link.id}`);
  expect(await trail()).not.toContain(token);
});
