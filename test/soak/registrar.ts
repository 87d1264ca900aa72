import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { ImportSummary } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { issuedPdf } from "../credentials/issued-pdf.js";
import { completed } from "../support/records.js";
import { type Act, addressOf, type Scene } from "./actor.js";
import type { Chance } from "./chance.js";
import { COURSE, PATH } from "./deployment.js";
import type { Outcome } from "./journal.js";
import type { Offer, Progress } from "./knowledge.js";
import { reportedBy } from "./reported.js";
import { only } from "./subjects.js";
import { visits } from "./visitors.js";
import { wrong } from "./wrong-answer.js";

type RecordInit = MessageInitShape<typeof RecordSchema>;

/** The actions of the platform and of staff that change data. They repeat a request until it is answered. */
export const deeds: readonly Act[] = [
  { weight: 3, act: reportNewcomers },
  { weight: 6, act: reportAgain },
  { weight: 10, act: issue },
  { weight: 2, act: issueAtOnce },
  { weight: 6, act: invalidate },
  { weight: 6, act: reissue },
  { weight: 0.7, act: invalidateAll },
  { weight: 1.5, act: takeOver },
  { weight: 0.5, act: planRun },
];

const AGAIN_MS = 250;

/** Repeats a request until its outcome is certain. */
async function insist({ ending }: Scene, call: () => Promise<Outcome>): Promise<void> {
  while ((await call()) === "failed" && !ending.aborted) await sleep(AGAIN_MS);
}

/** Immediately makes some reading calls, over any protocol, about a learner whose data was just changed. */
async function lookBack(scene: Scene, chance: Chance, username: string): Promise<void> {
  const subjects = only(username, scene.model, scene.subjects);
  for (let times = chance.below(3); times > 0; times--)
    await chance.pickByWeight(visits).act({ ...scene, subjects }, chance);
}

/** Whether a learner has an email address. Every fifth learner has none. */
export const hasAddress = (username: string): boolean => !username.endsWith("0") && !username.endsWith("5");

function drawProgress(chance: Chance, fullName: string): Progress {
  return {
    fullName,
    earned: chance.pick([3, 7, 7.5, 8, 9, 9.5, 10]) as number,
    completion: chance.pick([0.25, 0.89, 0.9, 0.95, 1]) as number,
    isEnrolled: chance.next() < 0.9,
    isInPath: chance.next() < 0.5,
  };
}

function recordsOf(username: string, progress: Progress, observedMs: number): RecordInit[] {
  const { fullName, earned, completion, isEnrolled, isInPath } = progress;
  const email = hasAddress(username) ? `${username}@soak.test` : "";
  const observeTime = timestampFromMs(observedMs);
  const kinds: NonNullable<RecordInit["kind"]>[] = [
    { case: "learner", value: { username, fullName, email } },
    { case: "enrollment", value: { username, learningContextKey: COURSE, isActive: isEnrolled } },
    { case: "enrollment", value: { username, learningContextKey: PATH, isActive: isInPath } },
    {
      case: "subsectionGrade",
      value: { username, courseKey: COURSE, usageKey: "exam", assignmentType: "Exam", earned, possible: 10 },
    },
    completed(username, COURSE, completion),
  ];
  return kinds.map((kind) => ({ kind, observeTime }));
}

/**
 * Sends the records of learners until they are acknowledged.
 * @returns whether they were acknowledged
 */
async function report(
  scene: Scene,
  chance: Chance,
  progressHistory: ReadonlyMap<string, Progress>,
): Promise<boolean> {
  const { model, journal, subjects } = scene;
  const observed = subjects.observed();
  const records = [...progressHistory].flatMap(([username, progress]) =>
    recordsOf(username, progress, observed),
  );
  const numbers = [...progressHistory].map(
    ([username, progress]) => [username, model.startReport(username, progress, performance.now())] as const,
  );
  let isReported = false;
  await insist(scene, () => {
    const { name, client } = addressOf(scene, chance);
    const isStream = name === "gRPC" && chance.next() < 0.6;
    return journal.call({
      kind: `${name} ${isStream ? "ImportRecords" : "UpsertRecords"}`,
      about: [...progressHistory.keys()][0] ?? "",
      request: Object.fromEntries(progressHistory),
      send: (): Promise<{ summary?: ImportSummary | undefined }> =>
        isStream
          ? client.learnerRecords.importRecords(messages(records))
          : client.learnerRecords.upsertRecords({ records }),
      judge({ summary }, span) {
        const { received = 0, written = 0, unchanged = 0, warnings = [] } = summary ?? {};
        if (received !== records.length || written + unchanged !== received)
          wrong("the counts do not make up the whole");
        if (warnings.length > 0) wrong(`it warns of ${warnings}`);
        for (const [username, number] of numbers) model.settleReport(username, number, span.to);
        isReported = true;
      },
    });
  });
  return isReported;
}

/** Sends all records of one learner in one message, because each message is a transaction. */
async function* messages(records: readonly RecordInit[]) {
  yield { records: records.slice(0, 5) };
  if (records.length > 5) yield { records: records.slice(5) };
}

async function reportNewcomers(scene: Scene, chance: Chance): Promise<void> {
  const progressHistory = new Map(
    Array.from({ length: 2 + chance.below(4) }, () => {
      const username = scene.subjects.newcomer();
      return [username, drawProgress(chance, `Learner ${username}`)] as const;
    }),
  );
  if (!(await report(scene, chance, progressHistory))) return;
  for (const username of progressHistory.keys()) scene.subjects.enter(username);
}

/** Sends changes of a learner's name, grades or enrolments. */
async function reportAgain(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  const before = username === undefined ? undefined : scene.model.progressOf(username);
  if (username === undefined || !before) return;
  const isRenamed = chance.next() < 0.3;
  const fullName = isRenamed ? `Learner ${username} the ${chance.below(1000)}th` : before.fullName;
  scene.subjects.touch(username);
  await report(scene, chance, new Map([[username, drawProgress(chance, fullName)]]));
  await lookBack(scene, chance, username);
}

async function issue(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  const offer = chance.pick(scene.deployment.offers);
  if (username === undefined || !offer) return;
  scene.subjects.touch(username);
  await issueTo(scene, chance, username, offer);
  await lookBack(scene, chance, username);
}

/**
 * Issues the same credential in several requests at once. One credential must result, and all responses must contain
 * it.
 */
async function issueAtOnce(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  const offer = chance.pick(scene.deployment.offers);
  if (username === undefined || !offer) return;
  scene.subjects.touch(username);
  await Promise.all(Array.from({ length: 3 }, () => issueTo(scene, chance, username, offer)));
}

async function issueTo(
  scene: Scene,
  chance: Chance,
  username: string,
  { configurationId }: Offer,
): Promise<void> {
  await insist(scene, () => {
    const { name, client } = addressOf(scene, chance);
    const issuing = scene.model.beginIssuing(username, configurationId, performance.now());
    return scene.journal.call({
      kind: `${name} IssueCredential`,
      about: username,
      request: { username, configurationId },
      send: () => client.credentials.issueCredential({ username, configurationId }),
      judge(credential, span) {
        issuing.answered(reportedBy(credential, scene.deployment.offers), span);
      },
      judgeRefusal({ code, message }, span) {
        if (code === "unavailable") return issuing.refused();
        if (code !== "failed_precondition" || !message.includes("is not eligible"))
          wrong("it is another refusal");
        issuing.refusedAsIneligible(span);
      },
    });
  });
}

async function invalidate(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  const username = known?.username;
  if (!known || username === undefined) return;
  const { uuid } = known;
  scene.subjects.touch(username);
  const reason = `Withdrawn, case ${chance.below(1_000_000)}.`;
  await insist(scene, () => {
    const { name, client } = addressOf(scene, chance);
    const invalidation = scene.model.beginInvalidation(username, uuid, reason, performance.now());
    return scene.journal.call({
      kind: `${name} InvalidateCredential`,
      about: username,
      request: { uuid, reason },
      send: () => client.credentials.invalidateCredential({ uuid, reason }),
      judge(credential, span) {
        invalidation.answered(reportedBy(credential, scene.deployment.offers), span);
      },
      judgeRefusal({ code }, span) {
        if (code !== "failed_precondition") wrong(`the code is ${code}`);
        invalidation.refusedAsItIs(span);
      },
    });
  });
  await lookBack(scene, chance, username);
}

async function reissue(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  if (known?.username === undefined) return;
  const { uuid, username } = known;
  scene.subjects.touch(username);
  const reason = `Corrected, case ${chance.below(1_000_000)}.`;
  await insist(scene, () => {
    const { name, client } = addressOf(scene, chance);
    const reissuing = scene.model.beginReissue(known, reason, performance.now());
    return scene.journal.call({
      kind: `${name} ReissueCredential`,
      about: username,
      request: { uuid, reason },
      send: () => client.credentials.reissueCredential({ uuid, reason }),
      judge(credential, span) {
        reissuing.answered(reportedBy(credential, scene.deployment.offers), credential.replacesUuid, span);
      },
      judgeRefusal({ code }, span) {
        if (code !== "failed_precondition") wrong(`the code is ${code}`);
        reissuing.refusedAsItIs(span);
      },
    });
  });
  await lookBack(scene, chance, username);
}

/** Invalidates all credentials of a learner in one call. */
async function invalidateAll(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  if (username === undefined) return;
  scene.subjects.touch(username);
  const reason = `All withdrawn, case ${chance.below(1_000_000)}.`;
  await insist(scene, () => {
    const { name, client } = addressOf(scene, chance);
    const invalidation = scene.model.beginInvalidation(username, undefined, reason, performance.now());
    return scene.journal.call({
      kind: `${name} InvalidateCredentials`,
      about: username,
      request: { username, reason },
      send: () => client.credentials.invalidateCredentials({ filter: { username }, reason }),
      judge: ({ count }, span) => invalidation.counted(count, span),
    });
  });
  await lookBack(scene, chance, username);
}

/** Imports a credential from elsewhere for a learner who has no such credential. */
async function takeOver(scene: Scene, chance: Chance): Promise<void> {
  const { model, subjects, deployment, journal } = scene;
  const username = subjects.learner(chance);
  const offer = chance.pick(deployment.offers);
  const progress = username === undefined ? undefined : model.progressOf(username);
  if (username === undefined || !offer || !progress) return;
  const { configurationId, learningContextKey, learningContextName, credentialType } = offer;
  if (model.credentialsOf(username).some((known) => known.configurationId === configurationId)) return;
  subjects.touch(username);
  const verifyUuid = randomUUID();
  const credential = {
    verifyUuid,
    username,
    userFullName: progress.fullName,
    learningContextKey,
    learningContextName,
    credentialType,
    createTime: timestampFromMs(1_500_000_000_000 + chance.below(1e9) * 100),
    file: issuedPdf(verifyUuid),
  };
  await insist(scene, () => {
    const { client } =
      deployment.addresses.filter(({ name }) => name === "gRPC")[chance.below(2)] ?? addressOf(scene, chance);
    const issuing = model.beginIssuing(username, configurationId, performance.now(), verifyUuid);
    return journal.call({
      kind: "gRPC ImportCredentials",
      about: username,
      request: { verifyUuid, configurationId },
      send: () => client.credentials.importCredentials(once({ credentials: [credential] })),
      judge({ received, imported, unchanged, rejectedCount }, span) {
        if (received !== 1 || imported + unchanged !== 1 || rejectedCount !== 0)
          wrong("the counts do not make up the whole");
        issuing.imported(span);
      },
      judgeRefusal({ code }, span) {
        if (code === "unavailable") return issuing.refused();
        if (code !== "failed_precondition") wrong(`the code is ${code}`);
        issuing.refusedAsTaken(span);
      },
    });
  });
}

async function* once<T>(message: T) {
  yield message;
}

/** Makes a dry run, which changes nothing. */
async function planRun(scene: Scene, chance: Chance): Promise<void> {
  const { configurationId } = chance.pick(scene.deployment.offers) as Offer;
  const { name, client } = addressOf(scene, chance);
  const run = scene.model.beginRun(configurationId, performance.now());
  await scene.journal.call({
    kind: `${name} StartIssuanceRun (dry)`,
    about: "runs",
    request: configurationId,
    send: () => client.credentials.startIssuanceRun({ configurationId, dryRun: true }),
    judge({ plan }, span) {
      if (plan?.usernames.length !== plan?.issueCount) wrong("it does not name all");
      run.planned(plan?.usernames ?? [], span);
    },
  });
  run.refused();
}

/** Starts a run and watches it until its end. */
export async function carryOutRun(scene: Scene, chance: Chance): Promise<void> {
  const { configurationId } = chance.pick(scene.deployment.offers) as Offer;
  let started: string | undefined;
  await insist(scene, async () => {
    const { name, client } = addressOf(scene, chance);
    const run = scene.model.beginRun(configurationId, performance.now());
    const outcome = await scene.journal.call({
      kind: `${name} StartIssuanceRun`,
      about: "runs",
      request: configurationId,
      send: () => client.credentials.startIssuanceRun({ configurationId }),
      judge(answer, span) {
        const { usernames = [], issueCount = 0 } = answer.plan ?? {};
        if (usernames.length !== issueCount || !answer.run) wrong("it does not name all");
        else {
          scene.runBook.see(answer.run, span);
          if (answer.run.issuedCount > issueCount) wrong("it has issued more than it planned");
        }
        run.planned(usernames, span);
        run.done(span);
        started = answer.run?.id;
        for (const username of usernames.slice(-5)) scene.subjects.touch(username);
      },
    });
    if (outcome === "failed") run.lost(performance.now());
    return outcome;
  });
  if (started !== undefined) await watchRun(scene, chance, started);
}

/** Watches a run, and reopens the stream after a fault. */
async function watchRun(scene: Scene, chance: Chance, id: string): Promise<void> {
  await insist(scene, () => {
    const { name, client } = addressOf(scene, chance);
    let heard = performance.now();
    return scene.journal.call({
      kind: `${name} WatchIssuanceRun`,
      about: `run ${id}`,
      request: id,
      async send() {
        const seen = [];
        for await (const run of client.credentials.watchIssuanceRun({ id })) {
          seen.push(run);
          heard = performance.now();
        }
        return seen;
      },
      lastHeard: () => heard,
      judge(seen, span) {
        for (const run of seen) scene.runBook.see(run, span);
        const counts = seen.map(({ availableCount }) => availableCount);
        if (counts.some((count, index) => count < (counts[index - 1] ?? 0))) wrong("it goes back");
        if (seen.at(-1)?.state !== IssuanceRunState.COMPLETE) wrong("it ends before the run does");
      },
    });
  });
}
