import { readFile } from "node:fs/promises";
import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { allFakers } from "@faker-js/faker";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withEarlierNames } from "#api/services/requests/earlier-names.js";
import { work } from "#app/work.js";
import { createClient as createGrpcClient } from "#client/node.js";
import { shortCodeOf } from "#domain/credentials/short-code.js";
import { uncovered } from "#formats/rendering/text/font-coverage.js";
import { languagesOf } from "#foundation/languages/languages.js";
import {
  type Credential,
  CredentialSchema,
  CredentialStatus,
} from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { ended, startCommand } from "../../commands/run-command.js";
import { staff, token } from "../../contract/callers.js";
import { send } from "../../contract/raw-request.js";
import { characters, readPdf } from "../../rendering/read-pdf.js";
import { type Academy, COURSE, openAcademy } from "../../support/academy.js";

/** Number of credentials in all offices together. If a test fails, the seed is printed. */
const COUNT = Number(process.env.SAME_FACTS ?? 80);
const SEED = Number(process.env.SAME_FACTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Services with different date formats, from one end of the world's time zones to the other. */
const offices = [
  { zone: "UTC", format: "%Y-%m-%d", language: "en" },
  { zone: "Pacific/Kiritimati", format: "%d.%m.%Y", language: "de" },
  { zone: "Pacific/Niue", format: "%B %-d, %Y", language: "en" },
  { zone: "America/St_Johns", format: "%-d/%-m/%Y", language: "fr" },
  { zone: "Asia/Kathmandu", format: "%d %m %y", language: "uk" },
];

/** Letters from which names are composed, as Unicode ranges by script. */
const scripts: Record<string, [first: number, last: number][]> = {
  Latin: [
    [0x41, 0x5a],
    [0x61, 0x7a],
    [0xc0, 0x17f],
    [0x1e00, 0x1eff],
  ],
  Greek: [
    [0x391, 0x3a1],
    [0x3b1, 0x3c9],
    [0x1f00, 0x1f15],
  ],
  Cyrillic: [
    [0x400, 0x45f],
    [0x490, 0x4ff],
  ],
  Armenian: [
    [0x531, 0x556],
    [0x561, 0x586],
  ],
  Georgian: [[0x10d0, 0x10f0]],
  Hebrew: [[0x5d0, 0x5ea]],
  Arabic: [
    [0x621, 0x63a],
    [0x641, 0x64a],
    [0x671, 0x6d3],
  ],
  Thaana: [[0x780, 0x7a5]],
  Devanagari: [[0x905, 0x939]],
  Bengali: [[0x985, 0x9b9]],
  Tamil: [[0xb85, 0xbb9]],
  Thai: [[0xe01, 0xe2e]],
  Ethiopic: [[0x1200, 0x1248]],
  Hangul: [[0xac00, 0xd7a3]],
  Kana: [
    [0x3041, 0x3096],
    [0x30a1, 0x30fa],
  ],
  Han: [[0x4e00, 0x9fa5]],
};

const letters = fc.constantFrom(...Object.values(scripts)).chain((ranges) =>
  fc.string({
    unit: fc
      .oneof(...ranges.map(([min, max]) => fc.integer({ min, max })))
      .map((point) => String.fromCodePoint(point))
      .filter((letter) => /[\p{L}\p{N}]/u.test(letter) && uncovered(letter).length === 0),
    minLength: 1,
    maxLength: 10,
  }),
);
const written = fc.array(letters, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const { base, ...localised } = allFakers; // base has no names
const likely = fc
  .tuple(fc.constantFrom(...Object.values(localised)), fc.nat())
  .map(([faker, seed]) => {
    faker.seed(seed);
    return faker.person.fullName().replaceAll(/\s+/g, " ").trim();
  })
  .filter((name) => name !== "" && uncovered(name).length === 0);
const odd = fc.constantFrom(
  "<b>Ada</b> & “Co” 'x' \"y\"",
  "Robert'); DROP TABLE credentials;--",
  "{name} {{x}} %s $& \\n \\u0041 null",
  "Ad\u0301a Zoe\u0308 (decomposed)",
  "O’Neill-Čapek, d’Arc №5 ½",
  "David Ben-Gurion דוד בן־גוריון",
  "محمد (أبو جعفر) 12",
  "&amp;lt;i&gt; &#60;",
);
const text = fc.oneof({ weight: 5, arbitrary: likely }, { weight: 4, arbitrary: written }, odd);

const person = fc.record({
  name: text,
  newName: text,
  context: fc.nat({ max: 4 }),
  created: fc.date({ min: new Date("1970-01-02"), max: new Date("2099-12-30"), noInvalidDate: true }),
  recreated: fc.date({ min: new Date("1970-01-02"), max: new Date("2099-12-30"), noInvalidDate: true }),
  fate: fc.constantFrom("available", "available", "available", "invalidated", "reissued"),
  reason: text,
});

interface Facts {
  readonly uuid: string;
  readonly verifyUuid: string;
  readonly username: string;
  readonly name: string;
  readonly context: string;
  readonly type: string;
  readonly created: Date;
  readonly status: "available" | "invalidated";
  readonly reason: string;
}

const isoSeconds = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;
const wholeSeconds = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

describe.each(offices)("$zone, $format", ({ zone, format, language }) => {
  test(`${COUNT / offices.length} credentials have the same facts at every edge (seed ${SEED})`, {
    timeout: 300_000,
  }, async () => {
    const academy = await openAcademy({
      settings: { TIME_ZONE: zone, CERTIFICATE_DATE_FORMAT: format, LANGUAGE_CODE: language },
    });
    try {
      const facts = await issueAll(academy);
      await compareRoutes(academy, facts);
      await compareCalls(academy, facts);
      await comparePages(academy, facts);
      await compareCommandLine(academy, facts);
      await compareEvents(academy, facts);
      await compareDocuments(academy, facts);
    } finally {
      await academy.service.stop();
    }
  });

  /** Issues the credentials, generates their documents, and then invalidates, reissues or erases some. */
  async function issueAll(academy: Academy): Promise<Facts[]> {
    const seed = SEED + offices.findIndex((office) => office.zone === zone);
    const people = fc.sample(person, { numRuns: COUNT / offices.length, seed });
    const contexts = await offer(academy, fc.sample(text, { numRuns: 5, seed }));
    const facts = new Map<string, Facts>();
    await inTens([...people.entries()], async ([index, { name, context, created }]) => {
      const username = `learner ${index}`;
      const { configurationId, displayName } = contexts[context] as Context;
      await academy.report({ case: "learner", value: { username, fullName: name } });
      const credential = await academy.issue(username, { configurationId, skipEligibilityCheck: true });
      facts.set(username, await dated(academy, credential, name, displayName, created));
    });
    await allMade(academy);
    const replaced: Facts[] = [];
    await inTens([...people.entries()], async ([index, { fate, reason, newName, context, recreated }]) => {
      const username = `learner ${index}`;
      const before = facts.get(username) as Facts;
      if (fate === "available") return;
      const invalidated: Facts = { ...before, status: "invalidated", reason };
      facts.set(username, invalidated);
      if (fate === "invalidated") {
        await academy.credentials.invalidateCredential({ uuid: before.uuid, reason });
        return;
      }
      await academy.report({ case: "learner", value: { username, fullName: newName } });
      const credential = await academy.credentials.reissueCredential({ uuid: before.uuid, reason });
      replaced.push(invalidated);
      const { displayName } = contexts[context] as Context;
      facts.set(username, await dated(academy, credential, newName, displayName, recreated));
    });
    await allMade(academy);
    return [...facts.values(), ...replaced];
  }

  /** Formats the date as this office's documents do, by an independent method. */
  function printedDate(date: Date): string {
    const parts = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      year: "numeric",
      month: "long",
      day: "numeric",
    }).formatToParts(date);
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
    const month = new Date(`${part("month")} 1, 2000 UTC`).getUTCMonth() + 1;
    const two = (value: string | number) => String(value).padStart(2, "0");
    return {
      "%Y-%m-%d": `${part("year")}-${two(month)}-${two(part("day"))}`,
      "%d.%m.%Y": `${two(part("day"))}.${two(month)}.${part("year")}`,
      "%B %-d, %Y": `${part("month")} ${part("day")}, ${part("year")}`,
      "%-d/%-m/%Y": `${part("day")}/${month}/${part("year")}`,
      "%d %m %y": `${two(part("day"))} ${two(month)} ${part("year").slice(2)}`,
    }[format] as string;
  }

  async function compareRoutes({ service, configurations }: Academy, facts: Facts[]): Promise<void> {
    const V1 = "/api/learning_credentials/v1";
    await inTens(facts, async (fact) => {
      const { name, context, status, reason, verifyUuid, uuid, username } = fact;
      const target = `${V1}/metadata/${verifyUuid}/`;
      expect((await send(service.httpUrl, { method: "GET", target })).body).toBe(
        JSON.stringify({
          user_full_name: name,
          created: isoSeconds(fact.created),
          learning_context_name: context,
          status,
          invalidation_reason: reason,
        }),
      );
      if (status === "invalidated") return;
      const { learningContextKey } = await configurations.getCredentialConfiguration({
        id: await configurationOf(uuid),
      });
      const path = `${V1}/eligibility/${learningContextKey}/?username=${encodeURIComponent(username)}`;
      const { body } = await send(service.httpUrl, { method: "GET", target: path, headers: staff });
      expect(JSON.parse(body).credentials[0].existing_credential).toMatchObject({
        uuid,
        verify_uuid: verifyUuid,
        status,
        created: isoSeconds(fact.created),
      });
    });
    async function configurationOf(uuid: string): Promise<number> {
      const row = await service.app.database.knex("credentials").where({ uuid }).first("configuration_id");
      return row.configuration_id;
    }
  }

  async function compareCalls({ service }: Academy, facts: Facts[]): Promise<void> {
    const asStaff = token({ sub: "registrar", administrator: true });
    const overGrpc = createGrpcClient({ baseUrl: `http://${service.grpcAddress}`, token: asStaff });
    const clients = [
      overGrpc.credentials,
      service.client(CredentialService, asStaff),
      createClient(
        CredentialService,
        createConnectTransport({
          baseUrl: service.httpUrl,
          httpVersion: "1.1",
          useBinaryFormat: true,
          interceptors: [
            (next) => (request) => {
              request.header.set("authorization", `Bearer ${asStaff}`);
              return next(request);
            },
          ],
        }),
      ),
    ];
    for (const client of clients) {
      await inTens(facts, async (fact) => {
        const metadata = await client.getCredentialMetadata({ verifyUuid: fact.verifyUuid });
        expect({
          name: metadata.userFullName,
          context: metadata.learningContextName,
          created: metadata.createTime && timestampDate(metadata.createTime),
          status: CredentialStatus[metadata.status]?.toLowerCase(),
          reason: metadata.invalidationReason,
        }).toEqual({
          name: fact.name,
          context: fact.context,
          created: fact.created,
          status: fact.status,
          reason: fact.reason,
        });
        expect(reported(await client.getCredential({ uuid: fact.uuid }))).toEqual(fact);
      });
      const listed: Credential[] = [];
      for (let pageToken = ""; ; ) {
        const page = await client.listCredentials({ pageSize: 70, pageToken });
        listed.push(...page.credentials);
        pageToken = page.nextPageToken;
        if (pageToken === "") break;
      }
      expect(byUuid(listed.map(reported))).toEqual(byUuid(facts));
    }
    overGrpc.close();
    await inTens(facts, async (fact) => {
      const own = service.client(CredentialService, token({ sub: fact.username }));
      expect((await own.listMyCredentials({})).credentials.map(reported)).toContainEqual(fact);
    });
  }

  async function comparePages({ service, credentials }: Academy, facts: Facts[]): Promise<void> {
    await inTens(facts, async (fact) => {
      const page = await send(service.httpUrl, {
        method: "GET",
        target: `/verify/${fact.verifyUuid}/?lang=en`,
      });
      const iso = new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(fact.created);
      const words = new Intl.DateTimeFormat("en-US", { timeZone: zone, dateStyle: "long" }).format(
        fact.created,
      );
      const {
        Checked: checked,
        "Issued by": issuer,
        "Withdrawn on": withdrawn,
        "Date of award": awarded,
        "Replaced by": replaced,
        ...shown
      } = factsOn(page.body);
      const { learningContextKey } = await credentials.getCredential({ uuid: fact.uuid });
      expect(withdrawn !== undefined).toBe(fact.status === "invalidated");
      if (awarded !== undefined) {
        const row = await service.app.database
          .knex("credentials")
          .where({ uuid: fact.uuid })
          .first("awarded_at");
        expect(awarded).toContain(
          new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(row.awarded_at),
        );
      }
      expect(shown).toEqual({
        Holder: fact.name,
        [learningContextKey.startsWith("path-v1:") ? "Learning path" : "Course"]: fact.context,
        Credential: fact.type,
        "Date of issue": `${words} ${iso}`,
        Status: fact.status === "available" ? "Valid" : replaced === undefined ? "Withdrawn" : "Replaced",
        "Credential ID": fact.verifyUuid,
        ...(fact.status === "invalidated" && { Reason: fact.reason }),
      });
    });
  }

  async function compareCommandLine({ service }: Academy, facts: Facts[]): Promise<void> {
    const { code, out, err } = await ended(startCommand(service, ["credentials"]));
    expect([code, err]).toEqual([0, ""]);
    const printed = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    const shown = printed.map((each) => ({
      uuid: each.uuid,
      verifyUuid: each.verifyUuid,
      username: each.username,
      name: each.userFullName,
      context: each.learningContextName,
      type: each.credentialType,
      created: new Date(String(each.created)),
      status: String(each.status).replace("CREDENTIAL_STATUS_", "").toLowerCase(),
      reason: each.invalidationReason ?? "",
    }));
    expect(byUuid(shown as Facts[])).toEqual(byUuid(facts));
    const { credentials } = await service
      .client(CredentialService, token({ sub: "x", administrator: true }))
      .listCredentials({ pageSize: 1 });
    const ofService = credentials[0] && toJson(CredentialSchema, credentials[0]);
    expect(printed[0]).toEqual(ofService && withEarlierNames(ofService));
  }

  /** Compares the facts with the state that follows from the events alone. */
  async function compareEvents({ service, credentials }: Academy, facts: Facts[]): Promise<void> {
    await expect.poll(() => service.app.database.knex("unsealed_credential_events")).toEqual([]);
    const { rows } = await service.app.database.knex.raw(
      "select max(position)::int as last from credential_events",
    );
    const lastStatus = new Map<string, CredentialStatus>();
    const stopping = new AbortController();
    let last = 0;
    for await (const { events } of credentials.watchCredentialEvents({}, { signal: stopping.signal })) {
      for (const { position, credentialUuid, statusBefore, statusAfter } of events) {
        expect(statusBefore).toBe(lastStatus.get(credentialUuid) ?? CredentialStatus.UNSPECIFIED);
        expect(Number(position)).toBe(last + 1);
        lastStatus.set(credentialUuid, statusAfter);
        last = Number(position);
      }
      if (last === rows[0].last) break;
    }
    stopping.abort();
    const heard = [...lastStatus].map(([uuid, status]) => [uuid, CredentialStatus[status]?.toLowerCase()]);
    expect(Object.fromEntries(heard)).toEqual(
      Object.fromEntries(facts.map(({ uuid, status }) => [uuid, status])),
    );
  }

  /** Returns the printed award date. It is printed only if it differs from the issue date. */
  async function printedAward({ service }: Academy, { uuid }: Facts, issued: string): Promise<string> {
    const { knex } = service.app.database;
    const { awarded_at } = await knex("credentials").where({ uuid }).first("awarded_at");
    const awarded = awarded_at === null ? issued : printedDate(awarded_at);
    return awarded === issued ? "" : `${languagesOf("document").choose([language]).dateOfAward} ${awarded}`;
  }

  async function compareDocuments(academy: Academy, facts: Facts[]): Promise<void> {
    let first: { text: string; facts: string } | undefined;
    for (const fact of facts) {
      const files = await academy.filesOf(fact.uuid, fact.status === "available" ? "" : "_invalidated");
      expect(files).toHaveLength(1);
      const pdf = await readPdf(await readFile(files[0] as string));
      const url = `https://credentials.test/verify/${fact.verifyUuid}/`;
      const date = printedDate(fact.created);
      expect(new Set(pdf.links)).toEqual(new Set([url]));
      const code = shortCodeOf(fact.verifyUuid);
      expect(pdf.text).toContain(`credentials.test/v/${code}`);
      expect(pdf.text).toContain(date);
      const award = await printedAward(academy, fact, date);
      expect(pdf.text).toContain(award);
      expect(String(pdf.info.Title).normalize()).toBe(`${fact.type} – ${fact.name}`.normalize());
      // The facts are distinguished from the words around them by comparison with another document.
      const own = {
        text: pdf.text,
        facts: [fact.name, fact.context, date, award, code].join(" "),
      };
      first ??= own;
      expect([fact, characters(own.text + first.facts)]).toEqual([fact, characters(first.text + own.facts)]);
    }
  }
});

interface Context {
  readonly configurationId: number;
  readonly displayName: string;
}

/** Creates one credential type in courses with these names, and in a path. */
async function offer(academy: Academy, names: string[]): Promise<Context[]> {
  const { configurations, configurationId } = academy;
  const { credentialTypeId } = await configurations.getCredentialConfiguration({ id: configurationId });
  const contexts: Context[] = [];
  for (const [index, displayName] of names.entries()) {
    const isPath = index === 0;
    const key = isPath ? "path-v1:Uni+P+1+A" : `course-v1:Uni+C+${index}`;
    await academy.report(
      isPath
        ? { case: "learningPath", value: { pathKey: key, displayName, stepCourseKeys: [COURSE] } }
        : { case: "course", value: { courseKey: key, displayName } },
    );
    const credentialConfiguration = { learningContextKey: key, credentialTypeId };
    const { id } = await configurations.createCredentialConfiguration({ credentialConfiguration });
    contexts.push({ configurationId: id, displayName });
  }
  return contexts;
}

/** Changes the time of issue. No API accepts such a change, but every API reports the time. */
async function dated(
  { service }: Academy,
  { uuid, verifyUuid, username, credentialType: type }: Credential,
  name: string,
  context: string,
  moment: Date,
): Promise<Facts> {
  const created = wholeSeconds(moment);
  await service.app.database.knex("credentials").where({ uuid }).update({ created_at: created });
  return { uuid, verifyUuid, username, name, context, type, created, status: "available", reason: "" };
}

/** Waits until no document is being generated and no file is being moved. */
async function allMade({ service }: Academy): Promise<void> {
  const worker = work(service.app);
  const { knex } = service.app.database;
  await expect
    .poll(() => knex("jobs").select("last_error"), {
      timeout: 120_000,
      interval: 200,
    })
    .toEqual([]);
  await worker.stop(10_000);
  expect(await knex("credentials").whereNotIn("status", ["available", "invalidated"])).toEqual([]);
}

function reported(credential: Credential): Facts {
  return {
    uuid: credential.uuid,
    verifyUuid: credential.verifyUuid,
    username: credential.username,
    name: credential.userFullName,
    context: credential.learningContextName,
    type: credential.credentialType,
    created: timestampDate(credential.createTime as NonNullable<Credential["createTime"]>),
    status: CredentialStatus[credential.status]?.toLowerCase() as Facts["status"],
    reason: credential.invalidationReason,
  };
}

function byUuid(facts: Facts[]): Facts[] {
  return facts.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Returns the terms of a page with their values, as a browser shows them. */
function factsOn(page: string): Record<string, string> {
  const terms = page.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs);
  const shown = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
  return Object.fromEntries([...terms].map(([, term = "", words = ""]) => [term, shown(words)]));
}

async function inTens<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += 10) await Promise.all(items.slice(i, i + 10).map(each));
}
