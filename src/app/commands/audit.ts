import { type Command, InvalidArgumentError } from "commander";
import { parseDay } from "#foundation/calendar/day.js";
import type { AuditRecord } from "#infrastructure/audit/audit-entry.js";
import { type AuditFilter, findEntries } from "#infrastructure/audit/audit-store.js";
import { audited } from "./audited.js";
import { printPages } from "./print-pages.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  program
    .command("audit")
    .description("print the audit trail, one JSON object per line, oldest first")
    .option("--caller <name>", "only actions of this user, service or system account")
    .option("--username <username>", "only entries about this learner")
    .option(
      "--object <kind:value>",
      "only entries about this object, such as credential:<uuid>, configuration:9 or asset:<slug>",
    )
    .option("--method <name>", "only this method or command, such as EraseLearner or erase")
    .option("--since <time>", "only entries since this time, such as 2026-11-22T06:00Z", parseMoment)
    .action((filter: AuditFilter) =>
      // Reads the store directly, because ListAuditEntries lists the newest entries first.
      withApp((app, signal) =>
        audited(app, signal, "audit", { learners: filter.username ? [filter.username] : [] }, () =>
          printPages((afterId, limit) => findEntries(app.database.knex, filter, { afterId, limit }), line),
        ),
      ),
    );
}

function line({
  id,
  enteredAt,
  caller,
  method,
  learners,
  others,
  requestId,
  source,
  code,
  changes,
}: AuditRecord): string {
  const { kind, name, issuer, subject } = caller;
  const token = issuer || subject ? { issuer, subject } : {};
  return JSON.stringify({
    id,
    time: enteredAt.toISOString(),
    caller: { kind, name, ...token },
    method,
    learners,
    objects: others,
    request_id: requestId,
    source,
    code,
    ...(changes.length > 0 && { changes }),
  });
}

/** @throws InvalidArgumentError unless the text is a date, or a time with its time zone */
function parseMoment(text: string): Date {
  const moment = new Date(text);
  const isComplete = /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/.test(text);
  // `Date` accepts 30 February as 2 March.
  if (isComplete && parseDay(text.slice(0, 10)) && !Number.isNaN(moment.getTime())) return moment;
  throw new InvalidArgumentError("Write a date, or a time with its zone: 2026-11-22 or 2026-11-22T06:00Z.");
}
