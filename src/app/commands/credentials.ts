import { create } from "@bufbuild/protobuf";
import { type Command, InvalidArgumentError, Option } from "commander";
import { presentCredentialToStaff, presentedStatus } from "#api/services/presentation/present.js";
import { listCredentials } from "#domain/credentials/credential-store.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { type Day, parseDay, startOfDay } from "#foundation/calendar/day.js";
import type { CredentialStatus } from "#foundation/credential-status.js";
import { CredentialSchema } from "#gen/learning_credentials/v1/credential_pb.js";
import type { App } from "../app.js";
import { audited } from "./audited.js";
import { credentialJson } from "./credential-json.js";
import { parseId } from "./parse-id.js";
import { printPages } from "./print-pages.js";
import { withApp } from "./with-app.js";

interface Filter {
  readonly username: string;
  readonly context: string;
  readonly configuration: number;
  readonly status?: CredentialStatus;
  readonly expired?: true;
  readonly expiresBefore?: Day;
}

export function addCommand(program: Command): void {
  program
    .command("credentials")
    .description("print credentials, one JSON object per line, in the order of issuing")
    .option("--username <username>", "only credentials of this learner", "")
    .option("--context <key>", "only credentials of this course or learning path", "")
    .option("--configuration <id>", "only credentials issued under this credential configuration", parseId, 0)
    .addOption(
      new Option("--status <status>", "only credentials with this status").choices(
        Object.keys(presentedStatus),
      ),
    )
    .option("--expired", "only credentials that have expired")
    .option(
      "--expires-before <day>",
      "only credentials whose last valid day is before this day in TIME_ZONE, such as 2027-01-01",
      parseDayOption,
    )
    .action((filter: Filter) =>
      withApp((app, signal) =>
        audited(app, signal, "credentials", aboutOf(filter), () => printAll(app, filter)),
      ),
    );
}

function aboutOf({ username, context, configuration }: Filter) {
  const others = [];
  if (context !== "") others.push(`context:${context}`);
  if (configuration !== 0) others.push(`configuration:${configuration}`);
  return { learners: username === "" ? [] : [username], others };
}

function parseDayOption(text: string): Day {
  const day = parseDay(text);
  if (day) return day;
  throw new InvalidArgumentError("It must be a day, such as 2027-01-01.");
}

/** Reads the store directly. ListCredentials can't filter by expiry, and SearchCredentials lists the newest first. */
async function printAll({ database, config }: App, filter: Filter): Promise<void> {
  const { username, context: learningContextKey, configuration: configurationId, status } = filter;
  const { expired: isExpired, expiresBefore } = filter;
  if (learningContextKey !== "") parseLearningContextKey(learningContextKey);
  const statuses = status === undefined ? undefined : [status];
  // A credential expires at the beginning of the day after its last valid day.
  const validUntilAtMost = expiresBefore && startOfDay(expiresBefore, config.timeZone);
  const wanted = { username, learningContextKey, configurationId, statuses, isExpired, validUntilAtMost };
  await printPages(
    (afterId, limit) => listCredentials(database.knex, wanted, afterId, limit),
    (each) => JSON.stringify(credentialJson(create(CredentialSchema, presentCredentialToStaff(each)))),
  );
}
