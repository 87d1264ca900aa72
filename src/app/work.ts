import { join } from "node:path";
import { closeUnsent } from "#domain/credentials/emails/email-store.js";
import { createSending, type EmailSendingDeps } from "#domain/credentials/emails/send-email.js";
import { removeErased } from "#domain/credentials/erasure/remove-erased.js";
import { createGeneration, failLostCredentials } from "#domain/credentials/generation/generate-credential.js";
import { moveInvalidatedFile } from "#domain/credentials/invalidation/move-invalidated-file.js";
import { createEmailPictures } from "#domain/credentials/pictures/email-picture.js";
import { walletUrlOf } from "#domain/credentials/wallets/open-wallets.js";
import { sendDisabledNotice } from "#domain/webhooks/send-disabled-notice.js";
import { sendWebhookNotice } from "#domain/webhooks/send-notice.js";
import { sendingDepsOf } from "#domain/webhooks/sending-deps.js";
import { createMailer } from "#infrastructure/email/transport.js";
import { enqueueJobs } from "#infrastructure/jobs/enqueue.js";
import { createPace } from "#infrastructure/jobs/pace.js";
import type { Tasks } from "#infrastructure/jobs/tasks.js";
import { tracedTasks } from "#infrastructure/jobs/traced-tasks.js";
import { startWorker, type Worker } from "#infrastructure/jobs/worker.js";
import { instrumentedMailer } from "#runtime/ops/instrumented.js";
import { type App, CLOSE_DEADLINE_MS } from "./app.js";
import { startBackground } from "./background.js";
import { generationDepsOf } from "./dependencies.js";

/**
 * Maximum number of concurrent jobs. Some documents are stored while others are rendered. More jobs would need more
 * memory.
 */
const MAX_JOBS = 64;

/** Maximum number of concurrent jobs while callers are waiting: one document is rendered while another is stored. */
const MAX_JOBS_WHILE_BUSY = 2;

/** Runs the jobs of the queue, starts scheduled runs and removes expired data. Stops when the app closes. */
export function work(app: App): Worker {
  const { config, log, database } = app;
  const generation = generationDepsOf(app);
  const sending = openSending(app);
  const generate = createGeneration(generation);
  const send = createSending(sending);
  const pace = createPace({
    most: MAX_JOBS,
    least: MAX_JOBS_WHILE_BUSY,
    reads: database.reads.count,
  });
  const tasks: Tasks = {
    generate_credential: ({ credentialId }, run) => pace.run(() => generate(credentialId, run)),
    move_file: ({ credentialUuid }) => moveInvalidatedFile(generation, credentialUuid),
    send_mail: ({ mailId }) => pace.run(() => send(mailId)),
    send_webhook_notice: (notice) =>
      sendWebhookNotice({ ...sending, platformName: config.platformName }, notice),
    tell_webhook_disabled: (notice) => sendDisabledNotice(sendingDepsOf(app), notice),
    remove_erased: (erased) => removeErased({ ...generation, mailer: sending.mailer }, erased),
  };
  const worker = startWorker({
    databaseUrl: database.url,
    directUrl: database.directUrl,
    sessions: database.sessions,
    concurrency: MAX_JOBS,
    onRun: app.metrics.job,
    onOutage: app.metrics.outage,
    probes: {
      store: () => app.files.check(config.outputDir),
      timestamps: async () => (await app.openSeals())?.check(),
    },
    log,
    tasks: app.tracing ? tracedTasks(tasks, app.tracing.tracer) : tasks,
    async onDead(jobs) {
      await failLostCredentials(
        database,
        jobs.flatMap((job) => (job.task === "generate_credential" ? [job.payload.credentialId] : [])),
      );
      const mailIds = jobs.flatMap((job) => (job.task === "send_mail" ? [job.payload.mailId] : []));
      await closeUnsent(database.knex, mailIds, "refused"); // lets staff resend the email
      // These jobs are retried without limit. Until they succeed, the file of an invalidated credential or an erased
      // learner can be read.
      await enqueueJobs(
        database.knex,
        jobs.filter(({ task }) => task === "move_file" || task === "remove_erased"),
      );
    },
  });
  app.defer(() => worker.stop(CLOSE_DEADLINE_MS));
  startBackground(app, [
    "old events",
    "old audit entries",
    "old attempts",
    "expired links",
    "seals",
    "stored secrets",
    "log",
    "ending runs",
    "scheduling",
    "automatic issuing",
    "expiry",
    "webhooks",
    "platforms",
    "operations",
  ]);
  return worker;
}

/** Opens the connections to the email server, which close with the app. */
function openSending(app: App): EmailSendingDeps {
  const { config, log, database, secrets, publicUrl } = app;
  const transport = createMailer({
    setting: app.email,
    // Version 1.0.0 saved emails in the same directory, so erasing a learner removes those, too.
    directory: join(config.dataDir, "mails"),
    log,
  });
  app.defer(transport.close);
  const pictures = createEmailPictures(app);
  app.defer(pictures.close);
  return {
    database,
    mailer: instrumentedMailer(transport, app.metrics),
    log,
    secret: secrets.urlSigningSecrets[0],
    publicUrl,
    walletUrl: walletUrlOf(app),
    pictureOf: pictures.of,
    brands: app.brands,
    emailTexts: app.emailTexts,
  };
}
