import { beforeAll, describe, expect, it } from "vitest";
import { FunctionKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  BOTH,
  COMPLETIONS,
  GRADES,
  givenConfigurator,
  invalid,
  newCourse,
  PDF,
  REQUIREMENTS,
  refusal,
} from "./configurator.js";

const api = givenConfigurator();

describe("a list", () => {
  let typeId: number;
  const own = () => ({ learningContextKey: "", credentialTypeId: typeId });

  beforeAll(async () => {
    typeId = (await api.createType()).id;
    for (let index = 0; index < 7; index++) await api.configure(typeId);
  });

  it("is read page by page, each entry once, by id", async () => {
    const ids: number[] = [];
    let pageToken = "";
    let pages = 0;
    do {
      const page = await api.staff.listCredentialConfigurations({ ...own(), pageSize: 3, pageToken });
      ids.push(...page.credentialConfigurations.map(({ id }) => id));
      pageToken = page.nextPageToken;
      pages += 1;
    } while (pageToken !== "");
    expect(pages).toBe(3);
    expect(ids).toHaveLength(7);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it("has no next page when the last one is exactly full", async () => {
    const page = await api.staff.listCredentialConfigurations({ ...own(), pageSize: 7 });
    expect(page.credentialConfigurations).toHaveLength(7);
    expect(page.nextPageToken).toBe("");
  });

  it("continues at its position, whatever is deleted meanwhile", async () => {
    const type = await api.createType();
    const [first, second, third] = [
      await api.configure(type.id),
      await api.configure(type.id),
      await api.configure(type.id),
    ];
    const filter = { credentialTypeId: type.id };
    const { nextPageToken } = await api.staff.listCredentialConfigurations({ ...filter, pageSize: 1 });
    await api.staff.deleteCredentialConfiguration({ id: first.id });
    await api.staff.deleteCredentialConfiguration({ id: second.id });
    const rest = await api.staff.listCredentialConfigurations({ ...filter, pageToken: nextPageToken });
    expect(rest.credentialConfigurations.map(({ id }) => id)).toEqual([third.id]);
  });

  it("is filtered by context, type or both", async () => {
    const key = newCourse();
    const [one, two] = [await api.createType(), await api.createType()];
    const [a, b] = [await api.configure(one.id, {}, key), await api.configure(two.id, {}, key)];
    const c = await api.configure(one.id);
    const idsOf = async (filter: object) =>
      (await api.staff.listCredentialConfigurations(filter)).credentialConfigurations.map(({ id }) => id);
    expect(await idsOf({ learningContextKey: key })).toEqual([a.id, b.id]);
    expect(await idsOf({ credentialTypeId: one.id })).toEqual([a.id, c.id]);
    expect(await idsOf({ learningContextKey: key, credentialTypeId: two.id })).toEqual([b.id]);
    expect(await idsOf({ learningContextKey: newCourse() })).toEqual([]);
  });

  it("has 100 entries by default, and 1000 at most", async () => {
    const type = await api.createType();
    await api.service.app.database.knex.raw(
      `insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
       select 'course-v1:Uni+Many' || n || '+1', ?, '{}' from generate_series(1, 1001) n`,
      [type.id],
    );
    for (const [pageSize, shown] of [
      [0, 100],
      [1000, 1000],
      [1001, 1000],
      [2 ** 31 - 1, 1000],
    ]) {
      const page = await api.staff.listCredentialConfigurations({
        credentialTypeId: type.id,
        pageSize: pageSize ?? 0,
      });
      expect(page.credentialConfigurations).toHaveLength(shown ?? 0);
      expect(page.nextPageToken).not.toBe("");
    }
  });

  it.each(["listCredentialTypes", "listCredentialConfigurations", "listFunctions"] as const)(
    "of %s refuses a negative size and a token that is not its own",
    async (method) => {
      const list = (request: { pageSize?: number; pageToken?: string }) => api.staff[method](request);
      expect(await refusal(list({ pageSize: -1 }))).toEqual(
        invalid("page_size is -1; it must be 1 to 1000, or 0 for the default, 100."),
      );
      const filtered = await api.staff.listCredentialConfigurations({ ...own(), pageSize: 1 });
      const { nextPageToken } = await list({ pageSize: 1 });
      const tokens = ["x", ".", "0", "x.1", "\u0000", "-1", "a".repeat(100_000), filtered.nextPageToken];
      for (const pageToken of [
        ...tokens,
        `${nextPageToken}.1`,
        `${nextPageToken}zzzzzzzzzzzz`,
        nextPageToken.toUpperCase(),
      ]) {
        expect(await refusal(list({ pageToken }))).toEqual(
          invalid(/^page_token is not a token of this list: /),
        );
      }
    },
  );

  it("refuses the page token of another filter, and ends at an id that will never exist", async () => {
    const { nextPageToken } = await api.staff.listCredentialConfigurations({ ...own(), pageSize: 1 });
    const refused = invalid(/^page_token is not a token of this list: /);
    expect(await refusal(api.staff.listCredentialConfigurations({ pageToken: nextPageToken }))).toEqual(
      refused,
    );
    expect(await refusal(api.staff.listCredentialTypes({ pageToken: nextPageToken }))).toEqual(refused);
    const beyond = `${nextPageToken.split(".")[0]}.${Buffer.from("9007199254740991").toString("base64url")}`;
    const page = await api.staff.listCredentialConfigurations({ ...own(), pageToken: beyond });
    expect(page).toMatchObject({ credentialConfigurations: [], nextPageToken: "" });
  });

  it.each([
    ["a key", { learningContextKey: "nothing" }, /^Invalid learning context key: "nothing"/],
    ["a type", { credentialTypeId: -1 }, "credential_type_id is -1; it must be at least 1."],
  ])("of configurations refuses an invalid %s", async (_, filter, message) => {
    expect(await refusal(api.staff.listCredentialConfigurations(filter))).toEqual(invalid(message));
  });
});

describe("the list of functions", () => {
  it("describes each by its name, what it does, and its options as a JSON Schema", async () => {
    const { functions, nextPageToken } = await api.staff.listFunctions({});
    expect(nextPageToken).toBe("");
    expect(functions.map(({ name, kind }) => [name, kind])).toEqual([
      [PDF, FunctionKind.GENERATION],
      [COMPLETIONS, FunctionKind.RETRIEVAL],
      [BOTH, FunctionKind.RETRIEVAL],
      [REQUIREMENTS, FunctionKind.RETRIEVAL],
      [GRADES, FunctionKind.RETRIEVAL],
    ]);
    for (const { summary, optionSchema } of functions) {
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(optionSchema).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        additionalProperties: false,
      });
    }
    expect(functions.find(({ name }) => name === BOTH)?.optionSchema).toMatchObject({
      properties: {
        required_passed: { type: "boolean" },
        required_letter: { type: "string" },
        required_completion: { type: "number", minimum: 0, maximum: 1, default: 0.9 },
        required_grades: { type: "object", additionalProperties: { type: "number", minimum: 0, maximum: 1 } },
      },
    });
  });

  it("is read page by page", async () => {
    const names: string[] = [];
    let pageToken = "";
    do {
      const page = await api.staff.listFunctions({ pageSize: 3, pageToken });
      names.push(...page.functions.map(({ name }) => name));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(names).toEqual([PDF, COMPLETIONS, BOTH, REQUIREMENTS, GRADES]);
  });
});
