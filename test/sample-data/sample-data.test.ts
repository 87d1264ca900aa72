import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { parseRecordMessage } from "#api/services/requests/parse-record.js";
import { cast, platformService, staffUser } from "#app/sample-data/cast.js";
import { sampleConfigurations, sampleCredentialTypes } from "#app/sample-data/configurations.js";
import { sampleCredentials } from "#app/sample-data/credentials.js";
import { sampleRecords } from "#app/sample-data/records.js";
import { recordWarning } from "#domain/learners/import-warnings.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import type { LearnerRecord } from "#domain/learners/record.js";
import { type Record as RecordMessage, RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { eligibility } from "./eligible.js";

const records = sampleRecords();
const { gradesOf, isEligible } = eligibility(records);
const learners = new Map(of("learner").map((learner) => [learner.username, learner]));

describe("the records", () => {
  test("are the same at every call", () => {
    expect(sampleRecords()).toEqual(records);
  });

  test("are accepted as a platform would send them, without a warning", () => {
    for (const record of records) {
      expect(parseRecordMessage(messageOf(record))).toEqual(record);
      expect(recordWarning(record)).toBeUndefined();
    }
  });

  test("state each fact once", () => {
    const keys = records.map(keyOf);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test("refer only to learners and contexts that have a record", () => {
    const contexts = new Set<string>([
      ...of("course").map(({ courseKey }) => courseKey),
      ...of("learningPath").map(({ pathKey }) => pathKey),
    ]);
    const named = new Set(records.flatMap((it) => ("username" in it ? [it.username] : [])));
    const entered = new Set(of("enrollment").map((it) => it.learningContextKey));
    const steps = new Set(of("learningPath").flatMap((it) => it.stepCourseKeys));
    expect([...named].filter((username) => !learners.has(username))).toEqual([]);
    expect([...entered, ...steps].filter((key) => !contexts.has(key))).toEqual([]);
  });

  test("grade only enrolled learners, and only assignment types of the course's policy", () => {
    const enrolled = new Set(of("enrollment").map((it) => `${it.username} ${it.learningContextKey}`));
    const policies = new Map(of("course").map((course) => [course.courseKey, course.assignmentTypes]));
    for (const fact of [...of("subsectionGrade"), ...of("completion")]) {
      expect(enrolled).toContain(`${fact.username} ${fact.courseKey}`);
    }
    for (const { courseKey, assignmentType } of of("subsectionGrade")) {
      expect(policies.get(courseKey)).toContain(assignmentType);
    }
  });

  test("contain about two hundred learners with different names", () => {
    expect(learners.size).toBeGreaterThanOrEqual(190);
    expect(learners.size).toBeLessThanOrEqual(210);
    expect(new Set([...learners.values()].map(({ fullName }) => fullName)).size).toBe(learners.size);
  });

  test.each([
    ..."Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Telugu Kannada Malayalam".split(" "),
    ..."Gujarati Gurmukhi Sinhala Thai Khmer Myanmar Georgian Armenian Ethiopic".split(" "),
    ..."Han Hiragana Katakana Hangul Tifinagh".split(" "),
  ])("contain a name in %s", (script) => {
    const letters = new RegExp(`\\p{Script=${script}}`, "u");
    expect([...learners.values()].some(({ fullName }) => letters.test(fullName))).toBe(true);
  });

  test.each<[string, (record: LearnerRecord) => boolean]>([
    ["an enrolment that ended", (it) => it.kind === "enrollment" && !it.isActive],
    ["extra credit", (it) => it.kind === "subsectionGrade" && it.earned > it.possible],
    ["a course without a grading policy", (it) => it.kind === "course" && it.weights.length === 0],
    ["an invite-only path", (it) => it.kind === "learningPath" && it.inviteOnly],
    ["an open path", (it) => it.kind === "learningPath" && !it.inviteOnly],
    ["a path of three steps", (it) => it.kind === "learningPath" && it.stepCourseKeys.length === 3],
    ["a name of two letters", (it) => it.kind === "learner" && it.fullName.length === 2],
    ["a very long name", (it) => it.kind === "learner" && it.fullName.length > 90],
    ["a username beyond ASCII", (it) => it.kind === "learner" && /\P{ASCII}/u.test(it.username)],
  ])("contain %s", (_, matches) => {
    expect(records.some(matches)).toBe(true);
  });
});

describe("the configurations", () => {
  test("are in known contexts, once for each type, with options only for steps of the path", () => {
    const places = sampleConfigurations.map((it) => `${it.learningContextKey} ${it.credentialTypeName}`);
    expect(new Set(places).size).toBe(places.length);
    for (const { learningContextKey, credentialTypeName, customOptions } of sampleConfigurations) {
      parseLearningContextKey(learningContextKey);
      expect(sampleCredentialTypes.map(({ name }) => name)).toContain(credentialTypeName);
      const path = of("learningPath").find(({ pathKey }) => pathKey === learningContextKey);
      expect(path?.stepCourseKeys ?? []).toEqual(
        expect.arrayContaining(Object.keys(customOptions.steps ?? {})),
      );
    }
  });

  test.each(sampleConfigurations)(
    "$credentialTypeName in $learningContextKey: some are eligible, some are not",
    (configuration) => {
      const { learningContextKey, credentialTypeName } = configuration;
      const enrolled = of("enrollment").filter((it) => it.learningContextKey === learningContextKey);
      const eligible = enrolled.filter((it) =>
        canHave({ username: it.username, learningContextKey, credentialTypeName }),
      );
      expect(eligible.length).toBeGreaterThan(2);
      expect(eligible.length).toBeLessThan(enrolled.length);
    },
  );
});

describe("the cast", () => {
  test.each([
    ["graduate", true],
    ["nearMiss", false],
    ["onTheMark", true],
    ["navigator", true],
    ["newcomer", false],
    ["nameless", true],
    ["unprintable", true],
  ] as const)("%s: eligible is %s", (role, expected) => {
    expect(learners.has(cast[role].username)).toBe(true);
    expect(canHave(cast[role])).toBe(expected);
  });

  test.each([
    ["graduate", "final", 91_000000n],
    ["graduate", "total", 92_350000n],
    ["nearMiss", "final", 62_000000n],
    ["nearMiss", "total", 69_800000n],
    ["onTheMark", "final", 60_000000n],
    ["onTheMark", "total", 60_000000n],
  ] as const)("%s has in %s %d millionths of a percent", (role, type, expected) => {
    const { username, learningContextKey } = cast[role];
    expect(gradesOf(username, learningContextKey).get(type)).toBe(expected);
  });

  test.each([
    ["bjorn.akeroy", "exactly at both marks", 60_000000n, 70_000000n, true],
    ["sjoerd.vantzand", "above the total, below the final", 58_000000n, 83_200000n, false],
    ["zoe.lhermitte", "above both, but gone", 90_000000n, 90_000000n, false],
  ])("%s is %s", (username, _, final, total, expected) => {
    const { learningContextKey, credentialTypeName } = cast.graduate;
    const grades = gradesOf(username, learningContextKey);
    expect([grades.get("final"), grades.get("total")]).toEqual([final, total]);
    expect(canHave({ username, learningContextKey, credentialTypeName })).toBe(expected);
  });

  test("the newcomer is enrolled nowhere, and the nameless one has no name", () => {
    const { newcomer, nameless } = cast;
    expect(records.filter((it) => "username" in it && it.username === newcomer.username)).toHaveLength(1);
    expect(learners.get(nameless.username)?.fullName).toBe("");
  });

  test("staff and service are not learners", () => {
    expect([learners.has(staffUser.username), learners.has(platformService.username)]).toEqual([
      false,
      false,
    ]);
  });
});

describe("the credentials to issue", () => {
  test.each(sampleCredentials)("$username is eligible, and has a name to print", (credential) => {
    expect(canHave(credential)).toBe(true);
    expect(learners.get(credential.username)?.fullName).toMatch(/\S/);
  });

  test("are all different, and include one invalidated and one refused", () => {
    const places = sampleCredentials.map((it) => Object.values(it).slice(0, 3).join(" "));
    expect(new Set(places).size).toBe(places.length);
    expect(sampleCredentials.filter((it) => it.invalidationReason)).toHaveLength(1);
    expect(sampleCredentials.filter((it) => it.refusal)).toHaveLength(1);
  });
});

function of<K extends LearnerRecord["kind"]>(kind: K) {
  return records.filter((record): record is Extract<LearnerRecord, { kind: K }> => record.kind === kind);
}

function canHave(it: { username: string; learningContextKey: string; credentialTypeName: string }): boolean {
  const configuration = sampleConfigurations.find(
    (candidate) =>
      candidate.learningContextKey === it.learningContextKey &&
      candidate.credentialTypeName === it.credentialTypeName,
  );
  const type = sampleCredentialTypes.find(({ name }) => name === it.credentialTypeName);
  if (!configuration || !type) throw new Error(`Not configured: ${it.credentialTypeName}`);
  return isEligible(it.username, configuration, type);
}

function keyOf(record: LearnerRecord): string {
  const { kind, username, courseKey, pathKey, learningContextKey, usageKey }: Record<string, unknown> = {
    ...record,
  };
  return [kind, username, courseKey, pathKey, learningContextKey, usageKey].join(" ");
}

function messageOf(record: LearnerRecord): RecordMessage {
  const value =
    record.kind === "course"
      ? {
          courseKey: record.courseKey,
          displayName: record.displayName,
          gradingPolicy: record.assignmentTypes.map((assignmentType, index) => ({
            assignmentType,
            weight: record.weights[index] ?? 0,
          })),
        }
      : record;
  return create(RecordSchema, {
    kind: { case: record.kind, value } as never,
    observeTime: timestampFromDate(new Date(record.observedAt ?? "")),
  });
}
