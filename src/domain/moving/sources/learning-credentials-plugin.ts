import { invalid, quoted } from "#foundation/errors.js";
import type { Export, ExportedConfiguration, ExportedCredential, ExportFiles } from "../export.js";
import { type Fields, momentOf, requiredMoment, requiredText, textIn } from "../fields.js";
import { translateSchedule } from "./celery-schedule.js";
import { keyIn, readDump } from "./django-dump.js";

/** Models whose records are kept in memory. Credentials are not, because there may be millions of them. */
const MODELS_IN_MEMORY = new Map([
  ["learning_credentials.credentialtype", "types"],
  ["learning_credentials.credentialconfiguration", "configurations"],
  ["learning_credentials.credentialasset", "assets"],
  ["django_celery_beat.periodictask", "tasks"],
  ["django_celery_beat.intervalschedule", "intervals"],
  ["django_celery_beat.crontabschedule", "crontabs"],
] as const);

type RelevantModel = typeof MODELS_IN_MEMORY extends Map<string, infer Name> ? Name : never;

const CREDENTIAL = "learning_credentials.credential";

/**
 * Reasons why credentials are left out, by status. They were never available, so they should be issued again instead.
 */
const SKIP_REASONS: Readonly<Record<string, string>> = {
  error: "it has failed: issue it here instead",
  generating: "it was being generated: issue it here instead",
};

/** Reads `manage.py dumpdata learning_credentials django_celery_beat auth.user` of learning-credentials 0.5. */
export async function readPluginDump(files: ExportFiles): Promise<Export> {
  const rowsOf: Record<RelevantModel, Map<string, Fields>> = {
    types: new Map(),
    configurations: new Map(),
    assets: new Map(),
    tasks: new Map(),
    intervals: new Map(),
    crontabs: new Map(),
  };
  const usernames = new Map<string, string>();
  let hasCredentials = false;
  for await (const { model, pk, fields } of readDump(files)) {
    const name = MODELS_IN_MEMORY.get(model as "learning_credentials.credentialtype");
    if (name) rowsOf[name].set(pk, fields);
    else if (model === "auth.user") usernames.set(pk, textIn(fields, "username"));
    else if (model === CREDENTIAL) hasCredentials = true;
  }
  if (!hasCredentials && rowsOf.types.size === 0)
    throw invalid(
      "The dump has no records of learning_credentials: export them with manage.py dumpdata learning_credentials django_celery_beat auth.user.",
    );

  const configurationOf = (fields: Fields): ExportedConfiguration => {
    const task = rowsOf.tasks.get(keyIn(fields, "periodic_task"));
    return {
      learningContextKey: textIn(fields, "learning_context_key"),
      credentialType: textIn(rowsOf.types.get(keyIn(fields, "credential_type")) ?? {}, "name"),
      customOptions: fields.custom_options,
      schedule:
        task &&
        translateSchedule({
          task,
          interval: rowsOf.intervals.get(keyIn(task, "interval")),
          crontab: rowsOf.crontabs.get(keyIn(task, "crontab")),
        }),
    };
  };

  return {
    assets: [...rowsOf.assets.values()].map((fields) => ({
      slug: textIn(fields, "asset_slug"),
      path: textIn(fields, "asset"),
    })),
    types: [...rowsOf.types.values()].map((fields) => ({
      name: textIn(fields, "name"),
      retrievalFunc: textIn(fields, "retrieval_func"),
      generationFunc: textIn(fields, "generation_func"),
      customOptions: fields.custom_options,
    })),
    configurations: [...rowsOf.configurations.values()].map(configurationOf),
    async *rows() {
      for await (const { number, location, text, model, pk, fields } of readDump(files)) {
        if (model !== CREDENTIAL) continue;
        const configuration = rowsOf.configurations.get(keyIn(fields, "configuration"));
        yield {
          number,
          location,
          text,
          read: () =>
            SKIP_REASONS[textIn(fields, "status")] ?? credentialOf(pk, fields, configuration, usernames),
        };
      }
    },
  };
}

function credentialOf(
  uuid: string,
  fields: Fields,
  configuration: Fields | undefined,
  usernames: ReadonlyMap<string, string>,
): ExportedCredential {
  const user = keyIn(fields, "user");
  const username = usernames.get(user) ?? (/^\d+$/.test(user) ? undefined : user);
  if (username === undefined || username === "")
    throw invalid(`user is ${quoted(user)}, but the dump has no record of this user: export auth.user, too.`);
  const status = textIn(fields, "status");
  if (status !== "available" && status !== "invalidated")
    throw invalid(`status is ${quoted(status)}; it must be available or invalidated.`);
  const verifyUuid = requiredText(fields, "verify_uuid");
  const created = requiredMoment("created", textIn(fields, "created"));
  const learningContextKey =
    textIn(configuration ?? {}, "learning_context_key") || textIn(fields, "learning_context_key");
  return {
    verifyUuid,
    uuid,
    legacyId: textIn(fields, "legacy_id"),
    aliases: uuid.toLowerCase() === verifyUuid.toLowerCase() ? [] : [uuid],
    learner: { username },
    userFullName: textIn(fields, "user_full_name"),
    context: learningContextKey,
    learningContextKey,
    learningContextName: textIn(fields, "learning_context_name"),
    credentialType: textIn(fields, "credential_type"),
    issuer: "",
    createdAt: created,
    validUntil: null,
    invalidated:
      status === "invalidated"
        ? {
            reason: textIn(fields, "invalidation_reason").replaceAll("\r", ""),
            at: momentOf("invalidated_at", textIn(fields, "invalidated_at")),
          }
        : null,
    file: filesOf(uuid, textIn(fields, "download_url")),
  };
}

/**
 * Returns the paths where the PDF may be. The download URL ends with the path below the media folder, but the plug-in
 * moves the PDF when the credential is withdrawn.
 */
function filesOf(uuid: string, downloadUrl: string): string[] {
  const path = URL.canParse(downloadUrl) ? new URL(downloadUrl).pathname : downloadUrl;
  const parts = path.split("/").filter((part) => part !== "" && part !== "." && part !== "..");
  const ends = parts.map((_, from) => parts.slice(from).join("/")).filter((end) => end.endsWith(".pdf"));
  const usual = ["learning_credentials", "learning_credentials_invalidated", "external_certificates"];
  return [...ends, ...usual.map((folder) => `${folder}/${uuid}.pdf`), `${uuid}.pdf`];
}
