import { beforeEach, describe, expect, test } from "vitest";
import type { Offer, Progress, Reported, Status } from "./knowledge.js";
import { createModel, type Model } from "./model.js";
import { WrongAnswer } from "./wrong-answer.js";

const offer: Offer = {
  configurationId: 1,
  credentialTypeId: 1,
  credentialType: "Achievement",
  learningContextKey: "course-v1:Soak+C1+2026",
  learningContextName: "Course One",
  isEarnedBy: ({ earned }) => earned >= 8,
};
const passed: Progress = { fullName: "Ada", earned: 9, completion: 1, isEnrolled: true, isInPath: true };
const failed: Progress = { ...passed, earned: 3 };

const during = (from: number, to: number) => ({ from, to });

function reported(status: Status, others: Partial<Reported> = {}): Reported {
  return {
    uuid: "c1",
    username: "ada",
    configurationId: 1,
    status,
    userFullName: "Ada",
    facts: { verifyUuid: "v1" },
    ...(status === "invalidated" && { invalidationReason: "Misspelt." }),
    ...others,
  };
}

let model: Model;

/** Ada has passed and was issued a credential. A response showed it as available, all before the time 40. */
beforeEach(() => {
  model = createModel([offer]);
  model.settleReport("ada", model.startReport("ada", passed, 0), 10);
  const issuing = model.beginIssuing("ada", 1, 20);
  issuing.answered(reported("generating"), during(20, 30));
  model.see(reported("available"), during(30, 40));
});

const invalidated = () => {
  model.beginInvalidation("ada", "c1", "Misspelt.", 50).answered(reported("invalidated"), during(50, 60));
};

describe("a credential", () => {
  test("does not return to an earlier status", () => {
    expect(() => model.see(reported("generating"), during(41, 42))).toThrow(WrongAnswer);
    expect(() => model.seeUnverified("c1", during(41, 42))).toThrow("could be verified before");
    expect(() => model.seeNotAvailable("c1", during(41, 42))).toThrow("is available");
  });

  test("may be seen in its old status by a request that began before the change", () => {
    expect(() => model.see(reported("generating"), during(39, 42))).not.toThrow();
    expect(() => model.seeUnverified("c1", during(39, 42))).not.toThrow();
  });

  test("is not available after it was reported as invalidated", () => {
    invalidated();
    expect(() => model.see(reported("available"), during(61, 62))).toThrow("c1 was invalidated before");
    expect(() => model.seeAvailable("c1", during(61, 62))).toThrow("was invalidated before");
    model.see(reported("available"), during(59, 62));
  });

  test("is invalidated only on request, and for the requested reason", () => {
    expect(() => model.see(reported("invalidated"), during(45, 46))).toThrow("nobody has asked");
    invalidated();
    expect(() =>
      model.see(reported("invalidated", { invalidationReason: "Stolen." }), during(61, 62)),
    ).toThrow("Misspelt.");
  });

  test("may be invalidated by a request that got no response, and stays so once seen", () => {
    model.beginInvalidation("ada", "c1", "Misspelt.", 50);
    model.see(reported("available"), during(55, 56));
    model.see(reported("invalidated"), during(57, 58));
    expect(() => model.see(reported("available"), during(59, 60))).toThrow(WrongAnswer);
  });

  test("is not invalidated by a refused request", () => {
    model.beginInvalidation("ada", "c1", "Misspelt.", 50).refused();
    expect(() => model.see(reported("invalidated"), during(55, 56))).toThrow("nobody has asked");
  });

  test("keeps its facts", () => {
    const other = reported("available", { facts: { verifyUuid: "v2" } });
    expect(() => model.see(other, during(45, 46))).toThrow("verifyUuid of c1 is v2, and was v1");
    expect(() => model.see(reported("available", { userFullName: "Eve" }), during(45, 46))).toThrow(
      "userFullName",
    );
  });

  test("that failed is wrong", () => {
    expect(() => model.see(reported("error"), during(20, 40))).toThrow("has failed");
  });

  test("is learned from its event", () => {
    expect(() => model.seeEvent("c1", "invalidated", 45)).toThrow("nobody has asked");
    model.beginInvalidation("ada", "c1", "Misspelt.", 50);
    model.seeEvent("c1", "invalidated", 55);
    expect(() => model.see(reported("available"), during(56, 57))).toThrow(WrongAnswer);
  });
});

describe("the credentials of a learner", () => {
  test("are not lost", () => {
    expect(() => model.seeAllOf("ada", undefined, [], during(41, 42))).toThrow("c1 is missing");
    expect(() => model.seeInForce("ada", 1, undefined, during(41, 42))).toThrow("c1 is in force");
    model.seeAllOf("ada", undefined, [], during(25, 42));
  });

  test("are not doubled", () => {
    const double = reported("generating", { uuid: "c2", facts: { verifyUuid: "v2" } });
    model.beginIssuing("ada", 1, 45);
    expect(() => model.see(double, during(50, 51))).toThrow("this one is a double");
    expect(() => model.beginIssuing("ada", 1, 50).answered(double, during(50, 51))).toThrow(
      "in force already",
    );
  });

  test("come only from requests to issue them", () => {
    invalidated();
    const another = reported("generating", { uuid: "c2", facts: { verifyUuid: "v2" } });
    expect(() => model.see(another, during(61, 62))).toThrow("at most 0 attempts");
  });

  test("come from a lost response only once", () => {
    invalidated();
    model.beginIssuing("ada", 1, 61);
    model.see(reported("available", { uuid: "c2", facts: { verifyUuid: "v2" } }), during(62, 63));
    model.beginInvalidation("ada", "c2", "Misspelt.", 64).refused();
    model.beginInvalidation("ada", undefined, "All.", 65).counted(1, during(65, 66));
    const third = reported("generating", { uuid: "c3", facts: { verifyUuid: "v3" } });
    expect(() => model.see(third, during(67, 68))).toThrow("at most 1 attempts");
  });

  test("are counted when all are invalidated at once", () => {
    const all = model.beginInvalidation("ada", undefined, "All.", 50);
    expect(() => all.counted(0, during(50, 60))).toThrow("c1 were available");
  });

  test("exist once a run has reported them", () => {
    model.settleReport("bob", model.startReport("bob", { ...passed, fullName: "Bob" }, 0), 10);
    const run = model.beginRun(1, 50);
    run.planned(["bob"], during(50, 60));
    run.done(during(50, 60));
    expect(() => model.seeAllOf("bob", undefined, [], during(61, 62))).toThrow("it is missing");
    const bobs = reported("generating", {
      uuid: "c2",
      username: "bob",
      userFullName: "Bob",
      facts: { verifyUuid: "v2" },
    });
    model.see(bobs, during(61, 62));
  });
});

describe("a refusal", () => {
  test("for ineligibility is right only if the learner may be ineligible", () => {
    invalidated();
    expect(() => model.beginIssuing("ada", 1, 70).refusedAsIneligible(during(70, 71))).toThrow("is eligible");
    model.startReport("ada", failed, 72);
    model.beginIssuing("ada", 1, 73).refusedAsIneligible(during(73, 74));
  });

  test("of an invalidation is right only if the credential may be unavailable", () => {
    expect(() => model.beginInvalidation("ada", "c1", "Stolen.", 50).refusedAsItIs(during(50, 51))).toThrow(
      "c1 is available",
    );
    invalidated();
    model.beginInvalidation("ada", "c1", "Stolen.", 70).refusedAsItIs(during(70, 71));
  });
});

describe("a learner's records", () => {
  const sees = (earned: number, from: number, to: number) =>
    model.seeProgress("ada", during(from, to), (progress) => progress.earned === earned);

  test("are those sent last, or those being sent", () => {
    expect(() => sees(3, 20, 21)).toThrow("none of these fits");
    const number = model.startReport("ada", failed, 30);
    sees(9, 31, 32);
    sees(3, 33, 34);
    expect(() => sees(9, 35, 36)).toThrow("none of these fits");
    model.settleReport("ada", number, 40);
  });

  test("decide who is eligible", () => {
    expect(() => model.seeEligible(1, [], during(20, 21))).toThrow("ada is missing");
    model.settleReport("ada", model.startReport("ada", failed, 30), 40);
    expect(() => model.seeEligible(1, ["ada"], during(41, 42))).toThrow("ada is not eligible");
    model.seeEligible(1, ["ada"], during(35, 42));
  });

  test("decide to whom a run issues", () => {
    model.settleReport("bob", model.startReport("bob", passed, 0), 10);
    expect(() => model.beginRun(1, 50).planned([], during(50, 60))).toThrow("bob is missing");
    expect(() => model.beginRun(1, 70).planned(["ada", "bob"], during(70, 80))).toThrow("ada has or had c1");
  });
});
