import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  CredentialEventSchema,
  CredentialEventType as Type,
} from "#gen/learning_credentials/v1/credential_event_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { IssuanceRunSchema, IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { createEventBook } from "./event-book.js";
import { createModel } from "./model.js";
import { createRunBook } from "./run-book.js";

describe("the event book", () => {
  type Init = MessageInitShape<typeof CredentialEventSchema>;
  const { GENERATING, AVAILABLE } = CredentialStatus;
  const issued: Init = { type: Type.ISSUED, statusAfter: GENERATING };
  const available: Init = { type: Type.AVAILABLE, statusBefore: GENERATING, statusAfter: AVAILABLE };
  const emailed: Init = { type: Type.EMAILED, statusBefore: AVAILABLE, statusAfter: AVAILABLE };

  /** Returns events of one credential, in order. */
  const events = (...inits: Init[]) =>
    inits.map((init, index) =>
      create(CredentialEventSchema, {
        position: BigInt(index + 1),
        credentialUuid: "c1",
        hash: `hash ${index + 1}`,
        ...init,
      }),
    );

  test("accepts a credential's events in order, the same from all watchers", () => {
    const book = createEventBook(createModel([]));
    const all = events(issued, available, emailed);
    expect(book.see("one", all.slice(0, 2), 0, 10)).toBe(2);
    expect(book.see("other", all, 0, 11)).toBe(3);
    expect(book.see("one", all.slice(2), 2, 12)).toBe(3);
    expect([...book.lives]).toEqual([["c1", ["issued", "available", "emailed"]]]);
  });

  test.each<[string, Init[], string]>([
    ["a gap", [issued, { ...available, position: 3n }], "position 3 comes in place of 2"],
    ["a step that was skipped", [issued, emailed], "emailed of c1 follows issued"],
    ["a step that comes twice", [issued, available, available], "available of c1 follows issued, available"],
    [
      "a status that does not fit",
      [{ ...issued, statusBefore: AVAILABLE }],
      "issued does not follow AVAILABLE",
    ],
    ["an event that was not requested", [issued, { type: Type.ERASED }], "nobody has asked for ERASED"],
    ["a failure", [issued, { type: Type.FAILED, statusBefore: GENERATING }], "nobody has asked for FAILED"],
  ])("refuses %s", (_, inits, message) => {
    const book = createEventBook(createModel([]));
    expect(() => book.see("one", events(...inits), 0, 10)).toThrow(message);
  });

  test("refuses a hash that differs from the one another watcher received", () => {
    const book = createEventBook(createModel([]));
    book.see("one", events(issued), 0, 10);
    expect(() => book.see("other", events({ ...issued, hash: "other" }), 0, 11)).toThrow("and was hash 1");
  });
});

describe("the run book", () => {
  const run = (availableCount: number, others: MessageInitShape<typeof IssuanceRunSchema> = {}) =>
    create(IssuanceRunSchema, {
      id: "r1",
      configurationId: 1,
      issuedCount: 3,
      availableCount,
      generatingCount: 3 - availableCount,
      state: IssuanceRunState.RUNNING,
      ...others,
    });

  test("accepts growing counts, and old ones in response to earlier requests", () => {
    const book = createRunBook();
    book.see(run(2), { from: 10, to: 20 });
    book.see(run(1), { from: 15, to: 25 });
    book.see(run(3, { state: IssuanceRunState.COMPLETE }), { from: 30, to: 40 });
    expect(() => book.see(run(3), { from: 41, to: 42 })).toThrow("it was complete before");
  });

  test.each([
    ["counts that fall", run(1), "2 were available before"],
    ["failures", run(2, { failedCount: 1, generatingCount: 0 }), "1 have failed"],
    ["counts that do not add up", run(2, { generatingCount: 0 }), "do not make up the whole"],
    ["another number of credentials", run(3, { issuedCount: 4 }), "has issued 3"],
    ["an end before the end", run(2, { state: IssuanceRunState.COMPLETE }), "something is generating"],
    ["an end that was not requested", run(2, { state: IssuanceRunState.CANCELLED }), "nobody has cancelled"],
  ])("refuses %s", (_, answer, message) => {
    const book = createRunBook();
    book.see(run(2), { from: 10, to: 20 });
    expect(() => book.see(answer, { from: 21, to: 30 })).toThrow(message);
  });

  test("notices a missing run", () => {
    const book = createRunBook();
    book.see(run(2), { from: 10, to: 20 });
    expect(() => book.seeList([], false, { from: 21, to: 30 })).toThrow("run r1 is missing");
    book.seeList([], false, { from: 15, to: 30 });
  });
});
