import type { Command } from "commander";
import type { Act } from "#api/pipeline/recorded-act.js";
import {
  ltiService,
  presentedRosters,
  presentedTeacherRole,
} from "#api/services/administration/lti-service.js";
import { type Lti, ltiOrRefuse } from "#domain/lti/lti.js";
import { noSuchPlatform } from "#domain/lti/manage-registrations.js";
import { readDueRosters } from "#domain/lti/read-rosters.js";
import type { Deployment, Registration, Rosters, TeacherRole } from "#domain/lti/registration.js";
import { ROSTERS, TEACHER_ROLES } from "#domain/lti/registration.js";
import { findRegistration, listDeployments, listRegistrations } from "#domain/lti/registration-store.js";
import { makeRostersDue, readRosterStatus } from "#domain/lti/roster-store.js";
import { readColumnStatus } from "#domain/lti/score-store.js";
import { printable } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import { CheckOutcome } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import type { App } from "../app.js";
import { audited } from "./audited.js";
import { addYesOption, confirm, shouldConfirm } from "./confirm.js";
import { localClient } from "./local-client.js";
import { oneOf, several } from "./option-values.js";
import { parseId } from "./parse-id.js";
import { print } from "./print.js";
import { withApp } from "./with-app.js";

interface AcceptOptions {
  readonly organisation: readonly string[];
  readonly teachers: TeacherRole | "none";
  readonly connector: string;
  readonly rosters: Exclude<Rosters, ""> | "none" | undefined;
  readonly columns: boolean;
}

interface SyncOptions {
  readonly acceptWithdrawals: boolean;
}

interface RegisterOptions {
  readonly clientId: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly jwksUrl: string;
  readonly audience: string;
  readonly name: string;
}

export function addCommand(program: Command): void {
  const lti = program
    .command("lti")
    .description("manage learning platforms that launch this service by LTI 1.3");

  addRegistration(lti);
  addPlatformDecisions(lti);
  addDeploymentDecisions(lti);
  addMemberships(lti);
  lti
    .command("rotate-key")
    .description(
      "create a new key for requests to platforms: it is published now and used in an hour; the old one expires a day later",
    )
    .action(() => run("lti rotate-key", async (client) => (await client.rotateLtiKey({})).kid));
}

function addRegistration(lti: Command): void {
  lti
    .command("invite")
    .description("print a link for the administrator of a platform to register it, valid for a week")
    .action(() => run("lti invite", async (client) => (await client.createLtiInvitation({})).url));

  lti
    .command("register")
    .description("register a platform manually, and print its number; it is pending until you accept it")
    .argument("<issuer>", "issuer of the platform, such as https://lms.example.org")
    .requiredOption("--client-id <id>", "client ID that the platform assigned to this service")
    .requiredOption("--auth-url <url>", "the platform's URL for authentication requests")
    .requiredOption("--token-url <url>", "the platform's URL for access tokens")
    .requiredOption("--jwks-url <url>", "URL of the platform's public key set")
    .option("--audience <text>", "audience of token requests (default: the token URL)", "")
    .option("--name <name>", "description, for your own records", "")
    .action((issuer: string, options: RegisterOptions) =>
      run("lti register", async (client) => {
        const { clientId, name, authUrl, tokenUrl, audience, jwksUrl } = options;
        const addresses = { authorizationUrl: authUrl, tokenUrl, tokenAudience: audience, jwksUrl };
        const settings = { issuer, clientId, name, ...addresses };
        return `${(await client.createLtiPlatform({ settings })).id}`;
      }),
    );

  lti
    .command("list")
    .description("list platforms: number, state, issuer, client ID, URLs, decisions, and deployments")
    .action(() =>
      withApp(async (app) => {
        const { database } = await openedOf(app);
        const deployments = await listDeployments(database.knex);
        for (const each of await listRegistrations(database.knex)) {
          process.stdout.write(`${lineOf(each)}\n`);
          for (const deploymentKey of deployments.filter(({ registrationId }) => registrationId === each.id))
            process.stdout.write(`  ${deploymentLine(deploymentKey)}\n`);
        }
      }),
    );
}

function addPlatformDecisions(lti: Command): void {
  onPlatform(lti, "accept", "accept a platform, or change the settings it was accepted with")
    .requiredOption(
      "--teachers <role>",
      "role of teachers in the console, restricted to the organisation of their course: none, viewer, registrar or designer",
      oneOf(TEACHER_ROLES.map((role) => role || "none")),
    )
    .option(
      "--organisation <org>",
      "organisation of the platform's courses; repeatable: courses belong to the first, unless their key names another",
      several(String),
      [],
    )
    .option("--connector <id>", "connector that reads the same platform, its courses and people", "")
    .option(
      "--rosters <kind>",
      "how member lists are used: none; listed: learners on the list are enrolled; whole: learners who are not on it are also withdrawn (default: listed, or none with a connector)",
      oneOf(ROSTERS.map((kind) => kind || "none")),
    )
    .option(
      "--columns",
      "write a score to the gradebook of each course: 1 while the learner's credential is available, 0 after it was withdrawn",
      false,
    )
    .action((id: number, { organisation, teachers, connector, columns, ...lists }: AcceptOptions) =>
      run("lti accept", async (client) => {
        const kind = lists.rosters ?? (connector === "" ? "listed" : "none");
        const acceptance = {
          organisations: [...organisation],
          teacherRole: presentedTeacherRole[teachers === "none" ? "" : teachers],
          connector,
          rosters: presentedRosters[kind === "none" ? "" : kind],
          hasColumns: columns,
        };
        await client.acceptLtiPlatform({ id, acceptance });
        return `accepted ${id}`;
      }),
    );

  onPlatform(lti, "refuse", "refuse a platform: its launches are rejected from now on").action((id: number) =>
    run("lti refuse", async (client) => {
      await client.refuseLtiPlatform({ id });
      return `refused ${id}`;
    }),
  );

  addYesOption(
    onPlatform(
      lti,
      "remove",
      "remove a platform and its mapping of accounts to learners; learner records are kept",
    ),
  ).action((id: number, options: { readonly yes: boolean }) =>
    run("lti remove", async (client, signal) => {
      if (shouldConfirm(options))
        await confirm("Learners can no longer launch the service from this platform. Remove it?", signal);
      await client.deleteLtiPlatform({ id });
      return `removed ${id}`;
    }),
  );
}

function addDeploymentDecisions(lti: Command): void {
  onDeployment(lti, "accept-deployment", "accept a deployment of this service on the platform")
    .option(
      "--frame-origin <origin>",
      "origin whose pages can embed this service, such as https://school.example.org (repeatable; default: those shown by `list`)",
      several(String),
      [],
    )
    .action((platformId: number, deploymentId: string, { frameOrigin }: { readonly frameOrigin: string[] }) =>
      run("lti accept-deployment", async (client) => {
        const decision = { accepted: true, frameOrigins: frameOrigin };
        await client.decideLtiDeployment({ platformId, deploymentId, ...decision });
        return `accepted ${printable(deploymentId)} of ${platformId}`;
      }),
    );

  onDeployment(lti, "refuse-deployment", "refuse a deployment of this service on the platform").action(
    (platformId: number, deploymentId: string) =>
      run("lti refuse-deployment", async (client) => {
        await client.decideLtiDeployment({ platformId, deploymentId, accepted: false });
        return `refused ${printable(deploymentId)} of ${platformId}`;
      }),
  );
}

function addMemberships(lti: Command): void {
  onPlatform(lti, "check", "test which of a platform's services work, and change nothing there").action(
    (id: number) =>
      run("lti check", async (client) => {
        const { checks } = await client.checkLtiPlatform({ id });
        if (checks.some(({ outcome }) => outcome === CheckOutcome.FAILED)) process.exitCode = 1;
        return checks
          .map(
            ({ what, outcome, text }) => `${CheckOutcome[outcome]?.toLowerCase().padEnd(7)} ${what}: ${text}`,
          )
          .join("\n");
      }),
  );
  onPlatform(lti, "sync", "read the member lists of a platform's courses now, and report what was written")
    .option(
      "--accept-withdrawals",
      "withdraw learners who are no longer listed, however many they are",
      false,
    )
    .action((id: number, { acceptWithdrawals: acceptsWithdrawals }: SyncOptions) =>
      withApp(async (app, signal) => {
        const opened = await openedOf(app);
        const about = { others: [`platform:${id}`] };
        const reports = await audited(app, signal, "lti sync", about, async () => {
          if (!(await findRegistration(opened.database.knex, id))) throw noSuchPlatform(id);
          await makeRostersDue(opened.database.knex, id);
          const reports = [];
          // Runs in this process. StartOperation would leave it to a worker.
          for await (const each of readDueRosters(opened, { registrationId: id, acceptsWithdrawals }, signal))
            reports.push(each);
          return reports;
        });
        for (const { contextKey, learners, written, withdrawn, problem } of reports) {
          if (problem !== "") process.exitCode = 1;
          const counts = `${counted(learners, "learner")}, ${counted(written, "record")} written, ${withdrawn} withdrawn`;
          print([contextKey, counts, problem].join("\t"));
        }
        if (reports.length === 0) print("The platform has no course with a member list: see `lti status`.");
      }),
    );

  lti
    .command("status")
    .description("show the status of member lists and gradebook columns, and what is wrong with them")
    .action(() =>
      withApp(async (app) => {
        const { database } = await openedOf(app);
        for (const { registrationId, courses, listed, read, problems } of await readRosterStatus(
          database.knex,
        )) {
          print(`${registrationId}: ${courses} courses, ${listed} with a list of members, ${read} read`);
          for (const { contextKey, problem, triedAt } of problems)
            print(`  ${contextKey}: ${printable(problem, 500)} (${triedAt.toISOString()})`);
        }
        for (const { registrationId, written, waiting, problems } of await readColumnStatus(database.knex)) {
          print(`${registrationId}: ${written} scores in gradebooks, ${waiting} to be written`);
          for (const { contextKey, problem, count } of problems)
            print(`  ${contextKey}: ${count} not written: ${problem}`);
        }
      }),
    );
}

function onPlatform(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .argument("<platform>", "platform number, as shown by `list`", parseId);
}

function onDeployment(parent: Command, name: string, description: string): Command {
  return onPlatform(parent, name, description).argument("<deployment>", "deployment ID, as shown by `list`");
}

/** Runs a subcommand and prints its result. */
function run(
  act: Extract<Act, `lti ${string}`>,
  work: (client: Awaited<ReturnType<typeof clientOf>>, signal: AbortSignal) => Promise<string>,
): Promise<void> {
  return withApp(async (app, signal) => print(await work(await clientOf(app, signal, act), signal)));
}

async function clientOf(app: App, signal: AbortSignal, act: Act) {
  return localClient(app, signal, act, LtiService, ltiService(await app.openLti()));
}

async function openedOf(app: App): Promise<Lti> {
  return ltiOrRefuse(await app.openLti());
}

function lineOf(registration: Registration): string {
  const { id, state, issuer, clientId, name, authorizationUrl, tokenUrl, jwksUrl } = registration;
  const { organisations, teacherRole, connector, rosters, hasColumns } = registration;
  const decided =
    state === "accepted"
      ? [
          `organisations ${organisations.join(", ") || "none"}`,
          `teachers ${teacherRole || "none"}`,
          ...(connector === "" ? [`rosters ${rosters || "none"}`] : [`connector ${connector}`]),
          ...(hasColumns ? ["columns"] : []),
        ]
      : [];
  const fields = [`${id}`, state, issuer, clientId, name, authorizationUrl, tokenUrl, jwksUrl, ...decided];
  return fields.map((field) => printable(field, 300)).join("\t");
}

function deploymentLine({ deploymentId, state, frameOrigins }: Deployment): string {
  return [state, deploymentId, ...frameOrigins].map((field) => printable(field, 300)).join("\t");
}
