import { expect, test } from "vitest";
import { anyFile } from "#edges/pages/any-file.js";
import type { FileOutcome } from "#edges/pages/browser/check-file.js";
import type { ProofCheck } from "#edges/pages/browser/check-proof.js";
import { pageLanguages } from "#edges/pages/languages.js";

/** All outcomes. The compiler reports missing ones. */
const OUTCOMES: Record<FileOutcome | ProofCheck["outcome"], true> = {
  genuine: true,
  withdrawn: true,
  expired: true,
  early: true,
  "badge-genuine": true,
  "badge-withdrawn": true,
  "badge-expired": true,
  "badge-early": true,
  "record-genuine": true,
  "record-partly": true,
  "record-expired": true,
  altered: true,
  foreign: true,
  unknown: true,
  unchecked: true,
  logged: true,
  "not-logged": true,
};

test.each(pageLanguages.all.map((language) => [language.tag, language] as const))(
  "the page has words for every outcome of a check, in %s",
  (_tag, language) => {
    const page = anyFile(language, { timeZone: "UTC", logKeys: [] }).html;
    for (const outcome of Object.keys(OUTCOMES))
      expect(page).toMatch(
        new RegExp(`<template class="${outcome}">(?:(?!</template>)[^])*<strong>[^<]+</strong>`),
      );
  },
);
