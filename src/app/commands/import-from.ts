import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Argument, type Command } from "commander";
import { actOf } from "#api/pipeline/recorded-act.js";
import { MAX_FILE_BYTES, parseImportedCredential } from "#api/services/requests/parse-imported-credential.js";
import { createAssetDeps } from "#domain/configurations/manage-assets.js";
import { importRows } from "#domain/credentials/imports/import-rows.js";
import type { ExternalCredential } from "#domain/credentials/imports/import-store.js";
import {
  createDesigns,
  createSchedules,
  type DesignDeps,
  type DesignPlan,
  planDesigns,
} from "#domain/moving/designs.js";
import type { Export, ExportedRow } from "#domain/moving/export.js";
import { type ExportMap, NO_MAP, parseMap } from "#domain/moving/map.js";
import { createResolver, type ResolvedImport, type Resolver } from "#domain/moving/resolve.js";
import { exportSources } from "#domain/moving/sources/export-sources.js";
import { invalid } from "#foundation/errors.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { ImportedCredentialSchema } from "#gen/learning_credentials/v1/imported_credential_pb.js";
import type { App } from "../app.js";
import { audited } from "./audited.js";
import { checkPlatformName } from "./check-platform-name.js";
import { openExport } from "./export-files.js";
import { type ReadFileBelow, readBelow } from "./files-below.js";
import { summaryOf } from "./import-credentials.js";
import { createImporting, type FileRow, rejectedLine } from "./import-rows.js";
import { print } from "./print.js";
import { showProgress } from "./progress.js";
import { readInput } from "./read-input.js";
import { openRejectsFile, type RejectsOptions, withRejects } from "./rejects-file.js";
import { withApp } from "./with-app.js";

interface ImportOptions extends RejectsOptions {
  readonly map?: string;
  readonly files?: string;
  readonly dryRun: boolean;
  readonly enableSchedules: boolean;
}

/** Maximum number of rejected rows to print. The rejects file contains all of them. */
const MAX_PRINTED_REJECTS = 100;
const MAX_ASSET_BYTES = 16 * 1024 * 1024;

export function addCommand(program: Command): void {
  const names = exportSources.map(({ name }) => name);
  const command = program
    .command("import-from")
    .description("import credentials and designs from another system's export")
    .addArgument(new Argument("<source>", "system that the export is from").choices(names))
    .argument("<path>", "export: a file, a folder or a ZIP archive")
    .option("--map <file>", "JSON file with information that the export lacks")
    .option("--files <dir>", "directory of the PDFs, named after their codes, and of assets")
    .option("--dry-run", "check the export without importing it", false)
    .option("--enable-schedules", "enable the schedules that were enabled in the other system", false);
  withRejects(command, "credentials")
    .addHelpText(
      "after",
      `
Sources:
${exportSources.map(({ name, summary }) => `  ${name.padEnd(30)}${summary}`).join("\n")}

The whole export is checked first. If a part can't be imported, nothing is imported, unless --skip-invalid is set.
Importing the same export again changes nothing. No emails are sent. .docs/importing-credentials.md describes each
source, and the map.`,
    )
    .action((source: string, path: string, options: ImportOptions) =>
      withApp(async (app, signal) => {
        await checkPlatformName(app);
        const others = [`file:${path}`, `source:${source}`];
        await audited(
          app,
          signal,
          actOf("import-from", options.dryRun),
          { others },
          async (recordObjects) => {
            const importing = createImporting(app, signal, recordObjects);
            await importExport(app, importing, { source, path }, options, signal);
          },
        );
      }),
    );
}

type Importing = ReturnType<typeof createImporting>;

async function importExport(
  app: App,
  { take, judge }: Importing,
  { source, path }: { readonly source: string; readonly path: string },
  options: ImportOptions,
  signal: AbortSignal,
): Promise<void> {
  const map =
    options.map === undefined
      ? NO_MAP
      : parseMap((await readInput(options.map)).toString("utf8"), options.map);
  const reader = exportSources.find(({ name }) => name === source);
  if (!reader) throw invalid(`There is no source ${source}.`);
  const exported = await reader.read(await openExport(path, options.map), map);
  const deps = designDeps(app, options);
  const designs = { functions: map.functions, enablesSchedules: options.enableSchedules };
  const plan = await planDesigns(deps, exported, designs, signal);
  const resolver = createResolver(app.database.knex, map);
  const reading = createReading(exported, resolver, map, options);

  const faults: string[] = [...plan.faults];
  const rejected = new Set<string>();
  const progress = showProgress("judging", undefined);
  const judged = await importRows(
    reading.rows(),
    (external) => judge(external, plan.isPlanned(external.learningContextKey, external.credentialType)),
    (row, problem) => {
      rejected.add(row.name);
      if (faults.length <= MAX_PRINTED_REJECTS) faults.push(rejectedLine(row, problem).reason);
    },
    ({ imported, unchanged }) => progress.update(0, imported + unchanged),
  ).finally(() => progress.stop());
  const count = plan.faults.length + judged.rejected;
  print(...plan.changes.map((change) => `changed: ${change}`), ...reading.leftOut());
  if (resolver.missing.size > 0)
    print(
      "Add the missing values to the map:",
      JSON.stringify({ contexts: Object.fromEntries(resolver.missing) }, null, 2),
    );
  const shown = [
    ...faults.slice(0, MAX_PRINTED_REJECTS),
    ...(count > MAX_PRINTED_REJECTS ? [`and ${count - MAX_PRINTED_REJECTS} more`] : []),
  ];

  if (options.dryRun) {
    print(...shown, designsIn(plan, true), summaryOf(judged, true));
    if (count > 0) process.exitCode = 1;
    return;
  }
  if (count > 0 && !options.skipInvalid) {
    throw invalid(
      [
        `${count} of the export can't be imported, and nothing was changed. Correct them, or add --skip-invalid.`,
        ...shown,
      ].join("\n"),
    );
  }
  await write({ deps, plan, reading, rejected, take }, path, options, signal);
}

/**
 * Imports the credentials before the schedules. Otherwise, a scheduled run could issue to learners whose credential
 * from the other system isn't imported yet.
 */
async function write(
  {
    deps,
    plan,
    reading,
    rejected,
    take,
  }: {
    readonly deps: DesignDeps;
    readonly plan: DesignPlan;
    readonly reading: Reading;
    readonly rejected: ReadonlySet<string>;
    readonly take: Importing["take"];
  },
  path: string,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<void> {
  const rejects = await openRejectsFile(path.replace(/\/+$/, ""), options);
  const progress = showProgress("importing", undefined);
  try {
    await createDesigns(deps, plan, signal);
    const tally = await importRows(
      reading.rows(),
      take,
      async (row, problem) => {
        if (!rejects) throw problem;
        await rejects.write([rejectedLine(row, problem)]);
      },
      ({ imported, unchanged }) => progress.update(0, imported + unchanged),
    );
    progress.stop();
    const isComplete = tally.rejected === 0 && plan.faults.length === 0 && rejected.size === 0;
    const schedules = plan.schedules.map((each) =>
      isComplete ? each : { ...each, schedule: { ...each.schedule, isEnabled: false } },
    );
    await createSchedules(deps, schedules, signal);
    if (!isComplete && plan.schedules.some(({ schedule }) => schedule.isEnabled))
      print(
        "Schedules are disabled because some credentials were not imported: learners would be issued them again.",
      );
    print(...plan.faults, designsIn(plan, false), summaryOf(tally, false));
    rejects?.printSummary("credentials");
    if (plan.faults.length > 0) process.exitCode = 1;
  } finally {
    progress.stop();
    await rejects?.close();
  }
}

function designsIn({ assets, types, configurations, schedules }: DesignPlan, isDryRun: boolean): string {
  const counts = `${assets.length} assets, ${types.length} credential types, ${configurations.length} configurations and ${schedules.length} schedules`;
  return isDryRun ? `${counts} would be created` : `${counts} created`;
}

function designDeps(app: App, { files }: ImportOptions): DesignDeps {
  const { database, functions, config } = app;
  const readAsset = files === undefined ? undefined : readBelow(files, "--files", MAX_ASSET_BYTES);
  return {
    database,
    functions,
    settings: config,
    assets: createAssetDeps(app),
    async readFile(path) {
      if (readAsset) return readAsset(path);
      throw invalid("its file is in the plug-in's media folder. Pass that folder with --files.");
    },
  };
}

/** Reads the rows of an export. Can be repeated. */
interface Reading {
  rows(): AsyncIterable<FileRow>;
  /** Returns how many rows and codes the last reading skipped, and why. */
  leftOut(): string[];
}

function createReading(
  exported: Export,
  resolver: Resolver,
  map: ExportMap,
  { files }: ImportOptions,
): Reading {
  const readFile = files === undefined ? undefined : readBelow(files, "--files", MAX_FILE_BYTES);
  const left = new Map<string, number>();
  let guessableCodes = 0;

  async function toRow(row: ExportedRow): Promise<FileRow | undefined> {
    const { number, location, text } = row;
    let read: () => Promise<ExternalCredential>;
    let name = location;
    try {
      const credential = row.read();
      if (typeof credential === "string") {
        left.set(credential, (left.get(credential) ?? 0) + 1);
        return undefined;
      }
      if (credential.hasGuessableCode) guessableCodes++;
      name = `${location} (${credential.aliases[0] ?? credential.verifyUuid})`;
      read = async () => parse(await resolver.resolve(credential), map, readFile);
    } catch (error) {
      read = () => Promise.reject(error);
    }
    return { number, text, name, read };
  }

  return {
    async *rows() {
      left.clear();
      guessableCodes = 0;
      for await (const each of exported.rows()) {
        const row = await toRow(each);
        if (row) yield row;
      }
    },
    leftOut: () => [
      ...[...left].map(([why, count]) => `left out: ${count}, as ${why}`),
      ...(guessableCodes > 0 ? [`codes left out: ${guessableCodes}, as they are too easy to guess`] : []),
    ],
  };
}

async function parse(
  credential: ResolvedImport,
  map: ExportMap,
  readFile: ReadFileBelow | undefined,
): Promise<ExternalCredential> {
  const { createdAt, validUntil, invalidated, file: sourceFile, ...texts } = credential;
  const file = sourceFile instanceof Uint8Array ? sourceFile : await findFile(sourceFile, readFile);
  const isPrinted = file === undefined && invalidated === null;
  if (isPrinted && !map.print_files) {
    const where = sourceFile instanceof Uint8Array ? "" : ` ${sourceFile.join(" or ")}`;
    throw invalid(
      `there is no file${where}${readFile ? " in the directory of --files: add it" : ": name its directory with --files"}, or set "print_files": true in the map to generate the document here.`,
    );
  }
  return parseImportedCredential(
    create(ImportedCredentialSchema, {
      ...texts,
      aliases: [...texts.aliases],
      createTime: timestampFromDate(createdAt),
      ...(validUntil && { expireTime: timestampFromDate(validUntil) }),
      ...(invalidated && {
        status: CredentialStatus.INVALIDATED,
        invalidationReason: invalidated.reason,
        invalidateTime: timestampFromDate(invalidated.at),
      }),
      ...(file && { file }),
      printFile: isPrinted,
    }),
  );
}

/** Returns the content of the first of these files that exists. */
async function findFile(
  paths: readonly string[],
  readFile: ReadFileBelow | undefined,
): Promise<Buffer | undefined> {
  for (const path of readFile ? paths : []) {
    try {
      return await readFile?.(path);
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    }
  }
  return undefined;
}
