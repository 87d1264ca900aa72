import { CallerService } from "#gen/learning_credentials/v1/caller_service_pb.js";
import { examplesOf } from "./example.js";

export const caller = examplesOf(CallerService, {
  getCaller: [
    ["learner: who a learner is", {}],
    ["staff: who a member of staff is", {}],
    ["reader: who a service is", {}],
    ["nobody: who nobody is", {}, "Unauthenticated: were not provided"],
  ],
  listFullNames: [
    [
      "staff: of one who is known, and one who is not",
      ({ username }) => ({ usernames: [username, "no.such.person"] }),
    ],
    ["staff: of nobody", { usernames: [""] }, "InvalidArgument: usernames[0] is empty"],
    [
      "staff: of too many",
      { usernames: Array(101).fill("ana") },
      "InvalidArgument: at most 100 are accepted",
    ],
  ],
});
