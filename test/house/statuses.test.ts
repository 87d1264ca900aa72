import { expect, test } from "vitest";
import { readSources } from "./imports.js";

/** Matches SQL that compares the status of a credential with a literal. SQL that sets the status does not match. */
const COMPARISON =
  /\b(?:where|and|or|when|not|on)\s+\(?(?:\w+\.)?status\s*(?:=|<>|!=|(?:not )?in)\s*\(?'(?:generating|available|error|invalidated)'/gi;

test("only credential-status.ts defines in SQL which statuses mean what", () => {
  const found = [...readSources()]
    .filter(([file]) => !file.startsWith("infrastructure/db/migrations/")) // released migrations never change
    .flatMap(([file, text]) => [...text.matchAll(COMPARISON)].map(([words]) => `${file}: ${words}`));
  expect(found).toEqual([]);
});

test.each([
  "select 1 from credentials where status = 'available'",
  "and credential.status <> 'invalidated'",
  "case when status in ('error', 'generating') then 1 end",
])("it would find %s", (sql) => {
  expect(sql).toMatch(new RegExp(COMPARISON, "i"));
});
