import { type Command, InvalidArgumentError } from "commander";
import { failedPrecondition } from "#foundation/errors.js";
import { type AuditEntry, SUCCEEDED } from "#infrastructure/audit/audit-entry.js";
import { READ_SCOPE, WRITE_SCOPE } from "#infrastructure/identity/claims.js";
import { mintToken } from "#infrastructure/identity/mint-token.js";
import { type Config, readConfig } from "#runtime/settings/config.js";
import { readTokenSecrets } from "#runtime/settings/secrets.js";
import { commandEntry } from "./audited.js";
import { describeFailure } from "./failure.js";
import { oneOf } from "./option-values.js";

interface TokenOptions {
  readonly staff: boolean;
  readonly service?: "read" | "write";
  readonly expires: number;
}

export function addCommand(program: Command): void {
  program
    .command("token")
    .description("issue a token (HS256) with the secret that this service trusts")
    .argument("<username>", "username that the token is for")
    .option("--staff", "issue a token for a staff user", false)
    .option(
      "--service <access>",
      `issue a token for a platform service: read (${READ_SCOPE}) or write (${WRITE_SCOPE})`,
      oneOf(["read", "write"]),
    )
    .option("--expires <seconds>", "how long the token is valid", parseSeconds, 3600)
    .addHelpText(
      "after",
      `
The audit trail records who issued the token, for whom and for how long, if the database can be reached: that of
DATABASE_URL, or of the service that runs here. Otherwise the token is still issued, and standard error says so.`,
    )
    .action(async (username: string, options: TokenOptions) => {
      const config = readConfig(process.env);
      const [secret] = await readTokenSecrets(config, "refuse");
      if (secret === undefined) {
        throw failedPrecondition(
          "AUTH_JWT_SECRET is not set, so no token can be signed: set it, or get a token from the issuer whose keys the AUTH_JWKS settings name.",
        );
      }
      const token = await mintToken({
        ...config.auth,
        secret,
        username,
        isStaff: options.staff,
        scopes: options.service ? [options.service === "write" ? WRITE_SCOPE : READ_SCOPE] : [],
        expiresInSeconds: options.expires,
      });
      await recordToken(config, username, options);
      process.stdout.write(`${token}\n`);
    });
}

/**
 * Records a token in the audit trail. A token is issued even without a database, because anyone who has the secret
 * could create one.
 */
async function recordToken(config: Config, username: string, options: TokenOptions): Promise<void> {
  const entry: AuditEntry & { code: string } = {
    ...commandEntry("token"),
    learners: options.service ? [] : [username],
    others: [
      ...(options.service ? [`service:${username}`] : []),
      `access:${options.service ?? (options.staff ? "staff" : "user")}`,
      `expires:${options.expires}`,
    ],
    code: SUCCEEDED,
  };
  const reason = await recordInDatabase(config, entry);
  if (reason !== undefined) {
    process.stderr.write(`This token is not recorded in the audit trail: ${reason}\n`);
  }
}

/** @returns the reason why the token was not recorded, for the user; undefined if it was */
async function recordInDatabase(config: Config, entry: AuditEntry): Promise<string | undefined> {
  // Imported here to keep --help fast.
  const { attachToEmbeddedPostgres } = await import("#infrastructure/db/embedded/postgres.js");
  const url = config.databaseUrl ?? (await attachToEmbeddedPostgres(config.dataDir))?.serviceUrl;
  if (url === undefined) return "no service runs here, and DATABASE_URL is not set.";
  const { openDatabase } = await import("#infrastructure/db/open-database.js");
  const { appendEntries } = await import("#infrastructure/audit/audit-store.js");
  const database = openDatabase(url, 2, undefined, config.databaseDirectUrl);
  try {
    await appendEntries(database.knex, [entry]);
    return undefined;
  } catch (error) {
    return describeFailure(error, url).text;
  } finally {
    await database.close();
  }
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError("It must be a whole number of seconds.");
}
