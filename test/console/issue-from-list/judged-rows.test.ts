import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { numbersByName } from "#api/services/requests/parse-enum.js";
import { requestFor, requestForPlanned } from "#console/issue-from-list/judged-rows.js";
import { NAME_REASONS } from "#domain/credentials/issuance/learners-to-skip.js";
import { ListedLearnerSchema, SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";

const reasons = numbersByName(SkipReason);

test("of the skipped rows, exactly those that the plan's hash covers are requested again", () => {
  const usernames = Object.keys(reasons);
  const learners = usernames.map((username, at) => ({
    row: at + 2,
    username,
    fullName: "",
    email: "",
    facts: {},
  }));
  const judgements = Object.entries(reasons).map(([username, reason]) =>
    create(ListedLearnerSchema, { username, reason }),
  );
  const request = requestForPlanned(requestFor({ learners }, false), judgements);
  expect(request.usernames).toEqual(NAME_REASONS);
});
