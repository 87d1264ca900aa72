import { describe, expect, it } from "vitest";
import { type DesignDeps, planDesigns } from "#domain/moving/designs.js";
import type { ExportedCredential } from "#domain/moving/export.js";
import { parseMap } from "#domain/moving/map.js";
import { createResolver } from "#domain/moving/resolve.js";
import { createTestDatabase } from "../support/database.js";
import { given } from "../support/given.js";

const bench = given(createTestDatabase, ({ drop }) => drop());

describe("an entry of the map with empty values", () => {
  const credential: ExportedCredential = {
    verifyUuid: "4f7a9c1e-3b5d-4e8f-a206-7c9b1d3e5f42",
    uuid: "",
    legacyId: "",
    aliases: [],
    learner: { username: "ana" },
    userFullName: "Ana",
    context: "7",
    issuer: "",
    createdAt: new Date(),
    validUntil: null,
    invalidated: null,
    file: [],
  };
  const entry = { learning_context_key: "", learning_context_name: "Course", credential_type: "" };
  const stated = { learning_context_key: "course-v1:Uni+C1+2026" };

  it.each([
    ["uses the map's default type", { ...entry, ...stated }, {}],
    ["uses the export's key", entry, { learningContextKey: stated.learning_context_key }],
  ])("%s", async (_, context, exported) => {
    const map = parseMap(JSON.stringify({ contexts: { 7: context }, credential_type: "Certificate" }), "map");
    const { resolve } = createResolver(bench.database.knex, map);
    expect(await resolve({ ...credential, ...exported })).toMatchObject({
      learningContextKey: stated.learning_context_key,
      learningContextName: "Course",
      credentialType: "Certificate",
    });
  });
});

it("a configuration whose type is nowhere is a fault", async () => {
  const configuration = {
    learningContextKey: "course-v1:Uni+C1+2026",
    credentialType: "Lost",
    customOptions: {},
    schedule: undefined,
  };
  const { faults } = await planDesigns(
    { database: bench.database } as DesignDeps,
    { assets: [], types: [], configurations: [configuration], async *rows() {} },
    { functions: {}, enablesSchedules: false },
    new AbortController().signal,
  );
  expect(faults).toEqual([
    'Configuration of "Lost" for course-v1:Uni+C1+2026: its credential type is neither in the export nor in this service.',
  ]);
});
