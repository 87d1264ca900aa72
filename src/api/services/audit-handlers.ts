import type { DescService, MessageInitShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { findFullNames } from "#domain/learners/full-names.js";
import { checkText } from "#foundation/text/check-text.js";
import {
  type AdministrationService,
  AuditCallerKind,
  type AuditEntrySchema,
  AuditOutcome,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import type { AuditRecord } from "#infrastructure/audit/audit-entry.js";
import { findEntries } from "#infrastructure/audit/audit-store.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSearch } from "#infrastructure/db/transaction.js";
import type { Handlers } from "../pipeline/handlers.js";
import { readPage } from "./page.js";
import { parseMoment } from "./timestamps.js";

/** Learners and other objects of one entry that are told. */
const MOST_OBJECTS = 100;

/** Commands that change nothing and are recorded. */
const READING_COMMANDS = [
  "audit",
  "connector sync --dry-run",
  "credentials",
  "erase --dry-run",
  "run --dry-run",
  "run watch",
];

/**
 * The methods of `AdministrationService` about who did what.
 * @param services all of them, which declare what only reads
 */
export function auditHandlers(database: Database, services: () => readonly DescService[]) {
  return {
    async listAuditEntries(request, { signal }) {
      const text = (field: "caller" | "username" | "object" | "method") =>
        checkText(field, request[field], { min: 0, max: 300 }) || undefined;
      const filter = {
        caller: text("caller"),
        username: text("username"),
        object: text("object"),
        method: text("method"),
        since: parseMoment("start_time", request.startTime) ?? undefined,
        before: parseMoment("end_time", request.endTime) ?? undefined,
        without: request.changesOnly ? [...READING_COMMANDS, ...readsOf(services())] : undefined,
      };
      return inSearch(database, signal, async (transaction) => {
        const { shown, nextPageToken } = await readPage(request, ["audit entries", filter], (page) =>
          findEntries(transaction, filter, { ...page, newestFirst: true }),
        );
        const people = shown.filter(({ caller }) => isPerson(caller));
        const names = await findFullNames(transaction, [...new Set(people.map(({ caller }) => caller.name))]);
        return { entries: shown.map((entry) => present(entry, names)), nextPageToken };
      });
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

function readsOf(services: readonly DescService[]): string[] {
  return services.flatMap(({ typeName, methods }) =>
    methods
      .filter(({ idempotency }) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
      .map(({ name }) => `${typeName}/${name}`),
  );
}

function present(
  { id, enteredAt, caller, method, learners, others, code, requestId, source, changes }: AuditRecord,
  names: ReadonlyMap<string, string>,
): MessageInitShape<typeof AuditEntrySchema> {
  return {
    id: BigInt(id),
    time: timestampFromDate(enteredAt),
    callerKind: presentedCallerKinds[caller.kind],
    caller: caller.name,
    callerFullName: (isPerson(caller) && names.get(caller.name)) || "",
    method: method.replace(/^learning_credentials\.v1\.\w+\//, ""),
    usernames: learners.slice(0, MOST_OBJECTS),
    learnerCount: learners.length,
    objects: others.slice(0, MOST_OBJECTS),
    ...presentOutcome(code),
    requestId,
    source,
    changes: [...changes],
  };
}

const presentedCallerKinds: Readonly<Record<AuditRecord["caller"]["kind"], AuditCallerKind>> = {
  user: AuditCallerKind.USER,
  staff: AuditCallerKind.STAFF,
  service: AuditCallerKind.SERVICE,
  "command line": AuditCallerKind.COMMAND_LINE,
};

function presentOutcome(code: string | null) {
  if (code === null) return {};
  return code === "Ok" ? { outcome: AuditOutcome.OK } : { outcome: AuditOutcome.FAILED, errorCode: code };
}

function isPerson({ kind }: AuditRecord["caller"]): boolean {
  return kind === "user" || kind === "staff";
}
