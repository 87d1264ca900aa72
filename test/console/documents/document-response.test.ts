import { describe, expect, onTestFinished, test, vi } from "vitest";
import { documentIfAvailable, documentIn, retryWhileBusy } from "#console/documents/document-response.js";
import { zipDocuments } from "#console/documents/zip-documents.js";

const answered = (status: number) => async () => new Response("%PDF-", { status });

describe("a document", () => {
  test.each([400, 404, 410])("is undefined if the service answers %i", async (status) => {
    expect(await documentIfAvailable(await answered(status)())).toBeUndefined();
    await expect(documentIn(await answered(status)())).rejects.toThrow(`the service answered ${status}`);
  });

  test.each([403, 500])("isn't missing if the service answers %i", async (status) => {
    await expect(documentIfAvailable(await answered(status)())).rejects.toThrow(
      `the service answered ${status}`,
    );
  });

  test("is no longer awaited after the user stops, even if the service is busy", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // a pause lasts until it is stopped
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    let requests = 0;
    const request = () => {
      requests++;
      setImmediate(() => stop.abort(new Error("enough"))); // during the pause
      return answered(429)();
    };
    await expect(retryWhileBusy(request, stop.signal)).rejects.toThrow("enough");
    expect([requests, vi.getTimerCount()]).toEqual([1, 0]);
  });
});

test("an archive has the other documents if one credential was withdrawn", async () => {
  const documents = [200, 400, 200].map((status) => ({
    title: `Answer ${status}`,
    created: new Date("2026-11-22T12:00:00Z"),
    read: async (signal: AbortSignal) => documentIfAvailable(await retryWhileBusy(answered(status), signal)),
  }));
  const { count, missing } = await zipDocuments(documents, () => {}, new AbortController().signal);
  expect([count, missing]).toEqual([2, 1]);
});
