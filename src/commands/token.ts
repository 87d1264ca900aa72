import { type Command, InvalidArgumentError } from "commander";
import { readConfig } from "../config.js";
import { Problem } from "../errors.js";
import { READ_SCOPE, WRITE_SCOPE } from "../identity/claims.js";
import { mintToken } from "../identity/mint-token.js";
import { readTokenSecrets } from "../secrets.js";

interface TokenOptions {
  readonly staff: boolean;
  readonly service?: "read" | "write";
  readonly expires: number;
}

export function addCommand(program: Command): void {
  program
    .command("token")
    .description("mint a token (HS256) with the secret that this service trusts")
    .argument("<username>", "who the token is for")
    .option("--staff", "a staff user", false)
    .option(
      "--service <access>",
      `a platform service: read (${READ_SCOPE}) or write (${WRITE_SCOPE})`,
      parseAccess,
    )
    .option("--expires <seconds>", "how long it is valid", parseSeconds, 3600)
    .action(async (username: string, options: TokenOptions) => {
      const config = readConfig(process.env);
      const [secret] = await readTokenSecrets(config, "refuse");
      if (secret === undefined) {
        throw new Problem(
          "failed-precondition",
          "There is no AUTH_JWT_SECRET to mint a token with: set it, or get one from whoever holds the keys of AUTH_JWKS_URL.",
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
      process.stdout.write(`${token}\n`);
    });
}

function parseAccess(text: string): "read" | "write" {
  if (text === "read" || text === "write") return text;
  throw new InvalidArgumentError("It is read or write.");
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError("It is a whole number of seconds.");
}
