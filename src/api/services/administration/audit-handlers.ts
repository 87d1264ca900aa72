import { type DescService, getOption, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { findFullNames } from "#domain/learners/full-names.js";
import { checkText } from "#foundation/text/check-text.js";
import { audit, ChangeKind } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  type AdministrationService,
  AuditCallerKind,
  type AuditEntrySchema,
  AuditOutcome,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { type AuditRecord, SUCCEEDED } from "#infrastructure/audit/audit-entry.js";
import { findEntries } from "#infrastructure/audit/audit-store.js";
import { type Database, inSearch } from "#infrastructure/db/database.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { acts } from "../../pipeline/recorded-act.js";
import { readPage } from "../requests/page.js";
import { parseMoment } from "../requests/timestamps.js";

/** Maximum number of learners, and of other objects, in a returned entry. */
const MAX_OBJECTS = 100;

/** @param services all services, whose methods declare what they change */
export function auditHandlers(database: Database, services: () => readonly DescService[]) {
  return {
    async listAuditEntries(request, { signal }) {
      const changes = changesOf(services());
      const text = (field: "caller" | "username" | "object" | "method") =>
        checkText(field, request[field], { min: 0, max: 300 }) || undefined;
      const filter = {
        caller: text("caller"),
        username: text("username"),
        object: text("object"),
        method: text("method"),
        since: parseMoment("start_time", request.startTime) ?? undefined,
        before: parseMoment("end_time", request.endTime) ?? undefined,
        without: request.changesOnly ? readsOf(changes) : undefined,
      };
      return inSearch(database, signal, async (transaction) => {
        const { shown, nextPageToken } = await readPage(request, ["audit entries", filter], (page) =>
          findEntries(transaction, filter, { ...page, newestFirst: true }),
        );
        const people = shown.filter(({ caller }) => isPerson(caller));
        const names = await findFullNames(transaction, [...new Set(people.map(({ caller }) => caller.name))]);
        return { entries: shown.map((entry) => present(entry, names, changes)), nextPageToken };
      });
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

/** Kinds of changes, by the method name or action that the audit trail records. */
type Changes = Readonly<Record<string, ChangeKind>>;

function changesOf(services: readonly DescService[]): Changes {
  const methods = services.flatMap(({ typeName, methods }) =>
    methods.map((method) => [`${typeName}/${method.name}`, getOption(method, audit).change] as const),
  );
  return { ...acts, ...Object.fromEntries(methods) };
}

function readsOf(changes: Changes): string[] {
  return Object.entries(changes)
    .filter(([, change]) => change === ChangeKind.UNSPECIFIED)
    .map(([name]) => name);
}

function present(
  { id, enteredAt, caller, method, learners, others, code, requestId, source, changes }: AuditRecord,
  names: ReadonlyMap<string, string>,
  changeOf: Changes,
): MessageInitShape<typeof AuditEntrySchema> {
  return {
    id: BigInt(id),
    time: timestampFromDate(enteredAt),
    callerKind: presentedCallerKinds[caller.kind],
    caller: caller.name,
    callerFullName: (isPerson(caller) && names.get(caller.name)) || "",
    method: method.replace(/^learning_credentials\.v1\.\w+\//, ""),
    usernames: learners.slice(0, MAX_OBJECTS),
    learnerCount: learners.length,
    objects: others.slice(0, MAX_OBJECTS),
    ...presentOutcome(code),
    requestId,
    source,
    changes: [...changes],
    change: changeOf[method] ?? ChangeKind.UNSPECIFIED,
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
  return code === SUCCEEDED
    ? { outcome: AuditOutcome.OK }
    : { outcome: AuditOutcome.FAILED, errorCode: code };
}

function isPerson({ kind }: AuditRecord["caller"]): boolean {
  return kind === "user" || kind === "staff";
}
