import { expect, test } from "vitest";
import { readAdministrationSearch } from "#console/administration/administration-search.js";
import { readCredentialSearch } from "#console/credentials/credential-search.js";

const readers = {
  "the list of credentials": readCredentialSearch,
  "the audit trail": readAdministrationSearch,
};

test.each(Object.entries(readers))("%s ignores a day in its address that doesn't exist", (_, read) => {
  expect(read({ from: "2028-02-29", to: "2026-02-29" })).toEqual({ from: "2028-02-29" });
  for (const to of ["2026-02-30", "2026-04-31", "2026-13-01", "2026-1-1", "+12026-01-01", "today"])
    expect(read({ to })).toEqual({ to: undefined });
});

test("the list of credentials ignores an expiry date that doesn't exist", () => {
  expect(readCredentialSearch({ expires: "2026-02-30" })).toEqual({});
});
