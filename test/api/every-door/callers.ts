import { CallerService } from "../../../gen/learning_credentials/v1/caller_service_pb.js";
import { type Row, row } from "./row.js";

export const callers: Row[] = [
  row(CallerService, "getCaller", "learner", "who a learner is", () => [{}]),
  row(CallerService, "getCaller", "staff", "who a member of staff is", () => [{}]),
  row(CallerService, "getCaller", "read service", "who a service is", () => [{}]),
  row(
    CallerService,
    "getCaller",
    "nobody",
    "who nobody is",
    () => [{}],
    "Unauthenticated",
    "were not provided",
  ),
];
