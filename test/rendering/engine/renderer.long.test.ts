import { afterAll, expect, test } from "vitest";
import { createRenderer, type Renderer } from "#formats/rendering/engine/renderer.js";
import { processorMs } from "../../support/processor-time.js";
import { ada } from "../ada.js";
import { readPdf } from "../read-pdf.js";
import { fontAsset, pdfTemplate, picture } from "../templates.js";

const name = "learning_credentials.generators.generate_pdf_credential";
const modules = [new URL("./faulty-generators.js", import.meta.url).href];
const renderer = createRenderer({ threads: 1, memoryLimitMb: 64, modules });
afterAll(() => renderer.close());

test("a thread renders the same document as the main process", async () => {
  const pdf = await readPdf(await renderer.render(name, ada, {}));
  expect(pdf.text).toContain("Ada Lovelace");
});

test("the assets reach the thread each time", async () => {
  const assets = new Map([
    ["page", await pdfTemplate()],
    ["seal", picture("png")],
    ["bold", fontAsset()],
  ]);
  const options = { template: "page", defaults: { font: "bold" }, images: [{ asset: "seal", x: 1, y: 1 }] };
  const first = await renderer.render(name, ada, options, assets);
  expect((await readPdf(first)).text).toContain("Academy");
  expect(Buffer.from(await renderer.render(name, ada, options, assets)).equals(Buffer.from(first))).toBe(
    true,
  );
});

test("a Problem arrives as a Problem", async () => {
  await expect(renderer.render(name, ada, { page: { size: "A5" } })).rejects.toMatchObject({
    name: "Problem",
    kind: "invalid",
    message: expect.stringContaining("page.size"),
  });
  await expect(renderer.render("nobody.knows", ada, {})).rejects.toMatchObject({
    kind: "failed-precondition",
    message: expect.stringContaining("nobody.knows"),
  });
});

async function failsAlone(of: Renderer, generator: string, message: string): Promise<void> {
  const lost = expect(of.render(generator, ada, {})).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining(message),
  });
  const next = of.render(name, ada, {});
  await lost;
  expect((await next).length).toBeGreaterThan(1000);
}

test.each([
  ["takes too much memory", "test.greedy", "memory"],
  ["ends its thread", "test.exiting", "Generating the document made its thread end."],
])("a document that %s fails alone", async (_case, generator, message) => {
  await failsAlone(renderer, generator, message);
});

test("the time limit of a document excludes the start of its thread and what the thread loads", async () => {
  const slowFonts = new URL("./slow-fonts.js", import.meta.url).href; // these fonts take 6 s to open
  const impatient = createRenderer({ threads: 1, timeLimitMs: 5_000, modules: [slowFonts, ...modules] });
  expect((await impatient.render(name, ada, {})).length).toBeGreaterThan(1000);
  await failsAlone(impatient, "test.endless", "Generating the document took more than 5 s.");
  await impatient.close();
});

test("previews don't delay documents, and are not made if their callers have left", async () => {
  const apart = createRenderer({ threads: 1, timeLimitMs: 5_000, modules });
  const how = { assets: new Map(), mode: { stamp: "corner", layoutOnly: false, lenient: false } } as const;
  await apart.preview(name, ada, {}, { ...how, signal: new AbortController().signal });
  const stuck = apart.preview("test.endless", ada, {}, { ...how, signal: new AbortController().signal });
  const ended = expect(stuck).rejects.toMatchObject({ kind: "unavailable" });
  const superseded = new AbortController();
  const dropped = expect(
    apart.preview(name, ada, {}, { ...how, signal: superseded.signal }),
  ).rejects.toMatchObject({ message: "superseded" });
  superseded.abort(new Error("superseded"));
  await dropped;
  expect((await apart.render(name, ada, {})).length).toBeGreaterThan(1000);
  await ended;
  const { pdf, layout } = await apart.preview(
    name,
    ada,
    {},
    { ...how, signal: new AbortController().signal },
  );
  expect(pdf?.length).toBeGreaterThan(1000);
  expect(layout?.elements.map(({ option }) => option)).toContain("text_elements.name");
  await apart.close();
});

test("previews of many designs keep the prepared parts of documents", async () => {
  const both = createRenderer({ threads: 1 });
  const how = { assets: new Map(), mode: { stamp: "corner", layoutOnly: true, lenient: true } } as const;
  const colour = (n: number) => `#${(0x100000 + n * 997).toString(16)}`;
  const cost = async (n: number) => {
    const since = process.cpuUsage();
    await both.render(name, ada, { accent_color: colour(n) });
    return processorMs(since);
  };
  const middle = (costs: readonly number[]) =>
    [...costs].sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
  const unprepared = [];
  for (let n = 0; n < 9; n++) unprepared.push(await cost(n));
  for (let n = 100; n < 220; n++)
    await both.preview(
      name,
      ada,
      { accent_color: colour(n) },
      { ...how, signal: new AbortController().signal },
    );
  const prepared = [];
  for (let n = 0; n < 9; n++) prepared.push(await cost(n));
  expect(middle(prepared)).toBeLessThan(middle(unprepared) / 2);
  await both.close();
});

test("closing finishes queued documents, and accepts no more", async () => {
  const closing = createRenderer({ threads: 1 });
  const waiting = [1, 2, 3].map(() => closing.render(name, ada, {}));
  const closed = closing.close();
  await expect(closing.render(name, ada, {})).rejects.toMatchObject({ kind: "unavailable" });
  for (const document of await Promise.all(waiting)) expect(document.length).toBeGreaterThan(1000);
  await closed;
});
