import { CallerService } from "../../../gen/learning_credentials/v1/caller_service_pb.js";
import { examplesOf } from "./example.js";

export const caller = examplesOf(CallerService, {
  getCaller: [
    ["learner: who a learner is", {}],
    ["staff: who a member of staff is", {}],
    ["reader: who a service is", {}],
    ["nobody: who nobody is", {}, "Unauthenticated: were not provided"],
  ],
});
