import { expect, it } from "vitest";
import { parseImportedCredentialLine } from "#api/services/requests/parse-imported-credential-line.js";
import { parseRecordLine } from "#api/services/requests/parse-record-line.js";
import { readCredly } from "#domain/moving/sources/tables-of-badges.js";

/** Returns the time of issue of a badge with this date. */
async function issuedAt(date: string): Promise<string> {
  const headings =
    "Earner Badge ID,Badge Template ID,Issued to First Name,Issued to Last Name,Issued to Email,Status,Issue Date";
  const csv = `${headings}\nb2375ca4,badge,Jan,Smit,jan@uni.test,accepted,${date}\n`;
  const exported = await readCredly(
    {
      names: ["badges.csv"],
      async *chunks() {
        yield Buffer.from(csv);
      },
    },
    {},
  );
  for await (const row of exported.rows()) {
    const badge = row.read();
    if (typeof badge !== "string") return badge.createdAt.toISOString();
  }
  throw new Error("the export has no badge");
}

it.each([
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["2024-02-29 10:30", "2024-02-29T10:30:00.000Z"],
  ["2024-02-29T23:30:00.5 UTC", "2024-02-29T23:30:00.000Z"],
  ["2024-02-29T23:30:00-0130", "2024-03-01T01:00:00.000Z"],
])("the date %s in an export is %s", async (date, time) => {
  expect(await issuedAt(date)).toBe(time);
});

it.each(["2026-02-29", "2026-02-30T10:30:00Z", "2026-04-31 10:30", "2026-13-01"])(
  "the date %s doesn't exist, and is refused",
  async (date) => {
    await expect(issuedAt(date)).rejects.toThrow(`the date of issue is "${date}"`);
  },
);

it("a time on a day that doesn't exist is refused in a line, but may be part of a text", async () => {
  const learner = (text: string) =>
    parseRecordLine(
      `{"learner": {"username": "ana", "full_name": "${text}"}, "observe_time": "2024-02-29T10:00:00Z"}`,
    );
  expect(learner("Ana, from 2026-02-30T10:00:00Z").kind).toBe("learner");
  const record = `{"learner": {"username": "ana"}, "observe_time": "2026-02-30T10:00:00Z"}`;
  expect(() => parseRecordLine(record)).toThrow("observe_time: the day 2026-02-30 doesn't exist");
  const credential = `{"username": "ana", "create_time": "2025-02-29T10:00:00.5+01:00"}`;
  await expect(parseImportedCredentialLine(credential, undefined)).rejects.toThrow(
    "create_time: the day 2025-02-29 doesn't exist",
  );
});
