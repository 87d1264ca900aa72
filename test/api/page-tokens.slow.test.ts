import { type Client, Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  ConfigurationService,
  ListCredentialConfigurationsRequestSchema,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { givenService, tokenOf } from "../support/service.js";

const PAGE_TOKEN = ListCredentialConfigurationsRequestSchema.field.pageToken.number;
const COURSES = ["course-v1:Uni+One+1", "course-v1:Uni+Two+1"];

const service = givenService();
let staff: Client<typeof ConfigurationService>;
let made = 0;
/** Ids of the rows that exist before a test, by course. */
const ids: Record<string, number[]> = {};

beforeAll(async () => {
  staff = service.client(ConfigurationService, await tokenOf({ username: "registrar", isStaff: true }));
  for (const course of COURSES) {
    ids[course] = [];
    for (let count = 0; count < 12; count++) ids[course].push(await configure(course));
  }
});

async function configure(learningContextKey: string): Promise<number> {
  const { id: credentialTypeId } = await staff.createCredentialType({
    credentialType: {
      name: `Type ${++made}`,
      retrievalFunc: "learning_credentials.processors.retrieve_completions",
      generationFunc: "learning_credentials.generators.generate_pdf_credential",
    },
  });
  const credentialConfiguration = { learningContextKey, credentialTypeId };
  return (await staff.createCredentialConfiguration({ credentialConfiguration })).id;
}

const list = (learningContextKey: string, pageToken: string, pageSize: number) =>
  staff.listCredentialConfigurations({ learningContextKey, pageToken, pageSize });
const idsOf = (rows: readonly CredentialConfiguration[]) => rows.map(({ id }) => id);

describe("a page token", () => {
  test("that was altered is refused, or leads into the same list, in order, and nowhere else", async () => {
    const [tokenOfOne = "", tokenOfTwo = "", tokenOfAll = ""] = await Promise.all(
      [...COURSES, ""].map(async (course) => (await list(course, "", 3)).nextPageToken),
    );
    const changed = fc
      .tuple(
        fc.constantFrom(tokenOfOne, tokenOfTwo, tokenOfAll),
        fc.nat(16),
        fc.constantFrom(0, 1, 2, 20),
        fc.oneof(
          fc.constantFrom("", ".", "0", "z", "-1", "9".repeat(11), " ", "\u0000"),
          fc.string({ maxLength: 3 }),
        ),
      )
      .map(([token, at, removed, put]) => token.slice(0, at) + put + token.slice(at + removed));
    const token = fc.oneof(
      { weight: 3, arbitrary: changed },
      fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
    );
    let [refused, answered] = [0, 0];
    await fc.assert(
      fc.asyncProperty(token, fc.constantFrom(...COURSES), async (pageToken, course) => {
        fc.pre(pageToken !== "");
        const answer = await list(course, pageToken, 100).catch((error: unknown) => ConnectError.from(error));
        if (answer instanceof ConnectError) {
          refused++;
          expect(answer).toMatchObject({
            code: Code.InvalidArgument,
            rawMessage: expect.stringMatching(/^page_token is not/),
          });
          return;
        }
        answered++;
        const shown = idsOf(answer.credentialConfigurations);
        expect(ids[course]?.slice(-shown.length || Number.POSITIVE_INFINITY)).toEqual(shown);
      }),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(0);
    expect(answered).toBeGreaterThan(0);
  });

  test("of bytes that are not text is refused", async () => {
    const token = await tokenOf({ username: "registrar", isStaff: true });
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(bytes, async (pageToken) => {
        const response = await fetch(
          `${service.httpUrl}/${ConfigurationService.typeName}/ListCredentialConfigurations`,
          {
            method: "POST",
            headers: { "content-type": "application/proto", authorization: `Bearer ${token}` },
            body: Buffer.concat([Buffer.from([(PAGE_TOKEN << 3) | 2, pageToken.length]), pageToken]),
          },
        );
        expect(await response.json()).toMatchObject({ code: "invalid_argument" });
      }),
      { numRuns: 50 },
    );
  });

  test("leads to each existing row once, whatever is created and deleted between pages", async () => {
    const course = "course-v1:Uni+Busy+1";
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("create", "delete", "both"), { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        async (events, pageSize) => {
          const stored: number[] = [];
          const doomed: number[] = [];
          for (let count = 0; count < 6; count++)
            (count % 3 === 0 ? doomed : stored).push(await configure(course));
          const seen: number[] = [];
          let pageToken = "";
          let next = 0;
          do {
            const event = events[next++];
            const during = event === "delete" || event === "both" ? doomed.pop() : undefined;
            const [page] = await Promise.all([
              list(course, pageToken, pageSize),
              event === "delete" || event === undefined ? undefined : configure(course),
              during === undefined ? undefined : staff.deleteCredentialConfiguration({ id: during }),
            ]);
            seen.push(...idsOf(page.credentialConfigurations));
            pageToken = page.nextPageToken;
          } while (pageToken !== "");
          expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other));
          expect(seen).toEqual(expect.arrayContaining(stored));
          for (const id of new Set([...idsOf((await list(course, "", 1000)).credentialConfigurations)])) {
            await staff.deleteCredentialConfiguration({ id });
          }
        },
      ),
      { numRuns: 6 },
    );
  });
});
