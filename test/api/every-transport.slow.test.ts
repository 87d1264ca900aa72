import { beforeAll, describe, expect, it } from "vitest";
import { REASONS } from "#foundation/errors.js";
import { givenAcademy } from "../support/academy.js";
import { answerOf, tokensOfCallers, transportsOf } from "./answers.js";
import { examples } from "./examples/examples.js";
import { type Known, makeKnown } from "./examples/known.js";
import { methods } from "./services.js";

const academy = givenAcademy({ signs: true });
let tokens: Readonly<Record<string, string>>;
let known: Known[];
const transports = transportsOf(() => academy.service);

beforeAll(async () => {
  tokens = await tokensOfCallers();
  known = await makeKnown(academy, transports.length);
});

/** Expects that the details of a refusal contain a known reason, and the path of the invalid field. */
function expectReason(details: unknown): void {
  const { info, badRequest } = details as {
    info: { reason: string; domain: string }[];
    badRequest: { fieldViolations: { field: string; reason: string }[] }[];
  };
  expect(info).toHaveLength(1);
  expect(REASONS).toContain(info[0]?.reason);
  expect(info[0]?.domain).toBe("learning-credentials");
  for (const { field, reason } of badRequest.flatMap(({ fieldViolations }) => fieldViolations)) {
    expect(reason).toBe(info[0]?.reason);
    expect(field).toMatch(/^[a-z_]+([.[][\w\]]+)*$/);
  }
}

describe("every protocol gives the same result", () => {
  it.each(examples.map((example) => ({ ...example, name: example.method.name })))(
    "$name: $what -> $code",
    async (example) => {
      const answers = [];
      for (const [index, [transport, client]] of transports.entries()) {
        const context = { service: academy.service, tokens, known: known[index] as Known };
        answers.push({ transport, ...(await answerOf(client, example, context)) });
      }
      const [first] = answers;
      const { code, says } = example;
      expect(first).toMatchObject({ code, message: says && expect.stringContaining(says) });
      if (code !== "OK") expectReason(first?.details);
      for (const answer of answers) expect(answer).toEqual({ ...first, transport: answer.transport });
    },
  );

  it("there are examples of every method, with a success and a refusal", () => {
    const neverRefused = ["GetIssuer"]; // anyone may call it, and no argument can be wrong
    for (const refused of [false, true]) {
      const covered = examples
        .filter(({ code }) => (code !== "OK") === refused)
        .map(({ method }) => method.name)
        .concat(refused ? neverRefused : []);
      expect(methods.map(({ name }) => name).filter((name) => !covered.includes(name))).toEqual([]);
    }
  });
});
