import { describe, expect, test } from "vitest";
import { whyNotReissued, whyNotWithdrawn } from "#console/credentials/why-not.js";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";

const { credentials } = await loadChapter("core", "en");
const explanations = await loadChapter("explanations", "en");
const { AVAILABLE, ERROR, GENERATING, INVALIDATED } = CredentialStatus;

describe("a credential can't be", () => {
  test.each([
    ["valid", { status: AVAILABLE }, undefined, undefined],
    ["expired", { status: AVAILABLE, isExpired: true }, "The credential has expired.", undefined],
    [
      "renewed",
      { status: AVAILABLE, replacedByUuid: "5d0c5a6e-0000-4000-8000-000000000001" },
      "This credential was renewed: a new credential replaces it.",
      undefined,
    ],
    ["erased", { status: AVAILABLE, userFullName: "" }, "The learner was erased.", undefined],
    ["being generated", { status: GENERATING }, "The document is being generated.", "same"],
    ["faulty", { status: ERROR }, "The document couldn’t be generated.", "same"],
    ["withdrawn", { status: INVALIDATED }, "It has already been withdrawn.", "same"],
    [
      "withdrawn and erased",
      { status: INVALIDATED, userFullName: "" },
      "It has already been withdrawn.",
      "same",
    ],
  ])("reissued or withdrawn while it is %s, for a reason", (_, state, reissued, withdrawn) => {
    const credential = { userFullName: "Ana Kovač", isExpired: false, replacedByUuid: "", ...state };
    expect(whyNotReissued(credential, credentials, explanations)).toBe(reissued);
    expect(whyNotWithdrawn(credential, credentials)).toBe(withdrawn && reissued);
  });
});
