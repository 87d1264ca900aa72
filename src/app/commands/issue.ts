import type { Command } from "commander";
import { issueCredential } from "#domain/credentials/issuance/issue-credential.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { issuingDepsOf } from "../dependencies.js";
import { audited } from "./audited.js";
import { checkPlatformName } from "./check-platform-name.js";
import { credentialJson } from "./credential-json.js";
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
        const { skipEligibilityCheck, skipEmail: skipsEmail } = options;
        const issuing = {
          configurationId,
          username,
          skipEligibilityCheck,
          skipsEmail,
          issuedBy: COMMAND_LINE,
        };
        const about = { learners: [username], others: [`configuration:${configurationId}`] };
        const credential = await audited(app, signal, "issue", about, () =>
          issueCredential(issuingDepsOf(app), issuing, signal),
        );
        process.stdout.write(`${JSON.stringify(credentialJson(credential), null, 2)}\n`);
      }),
    );
}
