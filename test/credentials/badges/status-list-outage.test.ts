import { expect, test } from "vitest";
import { createStatusLists, type StatusLists } from "#domain/credentials/badges/status-lists.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { openProxy } from "../../jobs/tcp-proxy.js";
import { openAcademy } from "../../support/academy.js";
import { createTestDatabase } from "../../support/database.js";

test("while the database is unavailable, a list is the last signed copy while that is valid, and no longer", async () => {
  const { url, drop } = await createTestDatabase();
  const proxy = await openProxy(url);
  const away = await openAcademy({ signs: true, settings: { DATABASE_URL: proxy.url } });
  const { now } = Date;
  try {
    await away.enrol("ana");
    await away.issue("ana");
    const { app } = away.service;
    const lists = createStatusLists({ ...app, publicUrl: app.publicUrl }) as StatusLists;
    const read = () => lists({ list: 0, organisation: undefined }, new Cancellation());
    const before = await read();
    const { validUntil } = JSON.parse(before ?? "");
    proxy.cut();
    expect(await read()).toBe(before);
    Date.now = () => Date.parse(validUntil) - 2000;
    expect(await read()).toBe(before);
    Date.now = () => Date.parse(validUntil) + 2000;
    await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN/) });
    Date.now = now;
    await proxy.mend();
  } finally {
    Date.now = now;
    await away.service.stop();
    await drop();
  }
});
