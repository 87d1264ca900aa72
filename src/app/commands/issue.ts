import type { Command } from "commander";
import { issuingHandlers } from "#api/services/credentials/issuing-handlers.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { issuingDepsOf } from "../dependencies.js";
import { checkPlatformName } from "./check-platform-name.js";
import { credentialJson } from "./credential-json.js";
import { localClient } from "./local-client.js";
import { parseId } from "./parse-id.js";
import { withApp } from "./with-app.js";

interface IssueOptions {
  readonly skipEligibilityCheck: boolean;
  readonly skipEmail: boolean;
}

export function addCommand(program: Command): void {
  program
    .command("issue")
    .description("issue a credential to one learner; a running service or worker generates its PDF")
    .argument("<configuration-id>", "the credential configuration to issue under", parseId)
    .argument("<username>", "the learner's username")
    .option(
      "--skip-eligibility-check",
      "issue even if the learner isn't enrolled or doesn't meet the requirements",
      false,
    )
    .option("--skip-email", "don't send an email to the learner", false)
    .action((configurationId: number, username: string, options: IssueOptions) =>
      withApp(async (app, signal) => {
        await checkPlatformName(app);
        const { issueCredential } = issuingHandlers(issuingDepsOf(app));
        const client = localClient(app, signal, "issue", CredentialService, { issueCredential });
        const credential = await client.issueCredential({ configurationId, username, ...options });
        process.stdout.write(`${JSON.stringify(credentialJson(credential), null, 2)}\n`);
      }),
    );
}
