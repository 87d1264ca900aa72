import { create, toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { presentCredentialToStaff } from "#api/services/present.js";
import { issueCredential } from "#domain/credentials/issuance/issue-credential.js";
import { CredentialSchema } from "#gen/learning_credentials/v1/credential_pb.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { audited } from "./audited.js";
import { checkPlatformName } from "./check-platform-name.js";
import { parseId } from "./parse-id.js";
import { withApp } from "./with-app.js";

export function addCommand(program: Command): void {
  program
    .command("issue")
    .description("issue a credential to one learner; a running service or worker generates its PDF")
    .argument("<configuration-id>", "the credential configuration to issue under", parseId)
    .argument("<username>", "the learner")
    .option("--skip-eligibility-check", "issue even if requirements are not met", false)
    .action((configurationId: number, username: string, options: { skipEligibilityCheck: boolean }) =>
      withApp(async (app, signal) => {
        await checkPlatformName(app);
        const issuing = { configurationId, username, ...options, issuedBy: COMMAND_LINE };
        const about = { learners: [username], others: [`configuration:${configurationId}`] };
        const credential = await audited(app, signal, "issue", about, () =>
          issueCredential({ ...app, settings: app.config }, issuing, signal),
        );
        const message = create(CredentialSchema, presentCredentialToStaff(credential));
        process.stdout.write(`${toJsonString(CredentialSchema, message, { prettySpaces: 2 })}\n`);
      }),
    );
}
