import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import PostalMime from "postal-mime";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { CredentialEligibility, Grade } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { type Act, addressOf, httpUrlOf, type Scene } from "./actor.js";
import type { Chance } from "./chance.js";
import { COURSE, PATH } from "./deployment.js";
import type { Span } from "./history.js";
import { bearer, get, type Page } from "./http.js";
import { Refusal } from "./journal.js";
import type { Known, Offer, Progress, Status } from "./knowledge.js";
import { reportedBy, statusOf } from "./reported.js";
import { wrong } from "./wrong-answer.js";

/** The actions that change no data: those of verifiers, learners, and staff who look something up. */
export const visits: readonly Act[] = [
  { weight: 22, act: metadataOverRest },
  { weight: 12, act: metadataOverRpc },
  { weight: 2, act: unknownMetadata },
  { weight: 10, act: verifyPage },
  { weight: 8, act: configured },
  { weight: 14, act: eligibilityOverRest },
  { weight: 6, act: eligibilityOverRpc },
  { weight: 3, act: forbidden },
  { weight: 10, act: getCredential },
  { weight: 10, act: listOfLearner },
  { weight: 4, act: listOwn },
  { weight: 0.5, act: listByStatus },
  { weight: 5, act: download },
  { weight: 3, act: downloadPage },
  { weight: 4, act: emailedLink },
  { weight: 3, act: lookAtRun },
  { weight: 1, act: listRuns },
  { weight: 0.5, act: listEligible },
  { weight: 2, act: listConfigurations },
  { weight: 2, act: health },
];

const REST = "/api/learning_credentials/v1";
const NOT_FOUND = `{"error":"Credential not found."}`;
const noContext = (key: string) =>
  `{"detail":"${key.startsWith("path") ? "Learning path" : "Course"} not found or user does not have access."}`;

async function metadataOverRest(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  const verifyUuid = known?.facts.get("verifyUuid");
  if (!known || verifyUuid === undefined) return;
  const before = chance.next() < 0.4 ? scene.etags.get(known.uuid) : undefined;
  const url = `${httpUrlOf(scene, chance)}${REST}/metadata/${verifyUuid}/`;
  await scene.journal.call({
    kind: "REST metadata",
    about: known.username ?? "",
    request: before ? `${url} If-None-Match ${before.etag}` : url,
    send: () => get(url, before ? { "if-none-match": before.etag } : {}),
    judge({ status, body, etag }, span) {
      if (status === 404 && body === NOT_FOUND) return scene.model.seeUnverified(known.uuid, span);
      const isOld = status === 304 && before !== undefined;
      if (status !== 200 && !isOld) wrong(`the status is ${status}`);
      const shown = isOld ? before.body : body;
      if (etag) scene.etags.set(known.uuid, { etag, body: shown });
      const answer = JSON.parse(shown) as Record<string, string>;
      if (
        Object.keys(answer).join() !==
        "user_full_name,created,learning_context_name,status,invalidation_reason"
      )
        wrong("it has other fields");
      seePublic(
        scene,
        known,
        {
          userFullName: answer.user_full_name ?? "",
          created: Date.parse(answer.created ?? "") / 1000,
          learningContextName: answer.learning_context_name ?? "",
          status: answer.status as Status,
          reason: answer.invalidation_reason ?? "",
        },
        span,
      );
    },
  });
}

async function metadataOverRpc(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  const verifyUuid = known?.facts.get("verifyUuid");
  if (!known || typeof verifyUuid !== "string") return;
  const { name, client } = addressOf(scene, chance);
  await scene.journal.call({
    kind: `${name} GetCredentialMetadata`,
    about: known.username ?? "",
    request: verifyUuid,
    send: () => client.credentials.getCredentialMetadata({ verifyUuid }),
    judge(
      { userFullName, createTime: created, learningContextName, status, invalidationReason: reason },
      span,
    ) {
      const seconds = Number(created?.seconds);
      seePublic(
        scene,
        known,
        { userFullName, created: seconds, learningContextName, status: statusOf(status), reason },
        span,
      );
    },
    judgeRefusal({ code }, span) {
      if (code !== "not_found") wrong(`the code is ${code}`);
      scene.model.seeUnverified(known.uuid, span);
    },
  });
}

/** Judges the public response of a verification. */
function seePublic(
  { model, deployment }: Scene,
  known: Known,
  reported: {
    userFullName: string;
    created: number;
    learningContextName: string;
    status: Status;
    reason: string;
  },
  span: Span,
): void {
  const { userFullName, created, learningContextName, status, reason } = reported;
  const offer = offerOf(deployment.offers, known);
  if (offer && learningContextName !== offer.learningContextName) wrong("it is another context");
  if (status !== "available" && status !== "invalidated") wrong(`the status is ${status}`);
  if (status === "available" && reason !== "") wrong("it has a reason, and is available");
  const shownReason = status === "invalidated" ? reason : undefined;
  model.seeStatus(known.uuid, status, shownReason, { userFullName, created }, span);
}

const offerOf = (offers: readonly Offer[], { configurationId }: Known) =>
  offers.find((offer) => offer.configurationId === configurationId);

async function unknownMetadata(scene: Scene, chance: Chance): Promise<void> {
  const url = `${httpUrlOf(scene, chance)}${REST}/metadata/${chance.next() < 0.5 ? randomUUID() : "no-uuid"}/`;
  await scene.journal.call({
    kind: "REST metadata",
    about: "nobody",
    request: url,
    send: () => get(url),
    judge({ status, body }) {
      if (status !== 404 || body !== NOT_FOUND) wrong("there is no such credential");
    },
  });
}

async function verifyPage(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  const verifyUuid = known?.facts.get("verifyUuid");
  if (!known || verifyUuid === undefined) return;
  const url = `${httpUrlOf(scene, chance)}/verify/${verifyUuid}/`;
  await scene.journal.call({
    kind: "GET verify page",
    about: known.username ?? "",
    request: url,
    send: async () => {
      const { status, body } = await get(url);
      const [, verdict] = /<article class="card ([\w-]+)"/.exec(body) ?? [];
      const [, holder] = /<dd class="name"><bdi>([^<]*)<\/bdi>/.exec(body) ?? [];
      const [, reason] = /<dt>Reason<\/dt><dd><bdi>([^<]*)<\/bdi>/.exec(body) ?? [];
      return { status, verdict, holder, reason };
    },
    judge({ status, verdict, holder = "", reason }, span) {
      if (status === 404 && verdict === "not-found") return scene.model.seeUnverified(known.uuid, span);
      if (status !== 200) wrong(`the status is ${status}`);
      if (verdict !== "genuine" && verdict !== "invalidated" && verdict !== "replaced")
        wrong("the verdict is missing");
      const shown = verdict === "genuine" ? "available" : "invalidated";
      if ((shown === "invalidated") !== (reason !== undefined)) wrong("the reason does not fit");
      scene.model.seeStatus(known.uuid, shown, reason, { userFullName: holder }, span);
    },
  });
}

const hasAccess = (contextKey: string, { isEnrolled, isInPath }: Progress) =>
  contextKey === PATH ? isInPath : isEnrolled || isInPath;

async function configured(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  if (username === undefined) return;
  const contextKey = chance.pick([COURSE, PATH]) as string;
  const url = `${httpUrlOf(scene, chance)}${REST}/configured/${contextKey}/`;
  const token = await scene.deployment.tokenOf(username);
  const names = scene.deployment.offers
    .filter(({ learningContextKey }) => learningContextKey === contextKey)
    .map(({ credentialType }) => credentialType);
  const right = JSON.stringify({
    is_configured: true,
    credential_types: names,
    has_credentials: true,
    credential_count: names.length,
  });
  await scene.journal.call({
    kind: "REST configured",
    about: username,
    request: url,
    send: () => get(url, bearer(token)),
    judge({ status, body }, span) {
      if (status === 200 ? body !== right : status !== 404 || body !== noContext(contextKey))
        wrong("the body is another one");
      scene.model.seeProgress(
        username,
        span,
        (progress) => hasAccess(contextKey, progress) === (status === 200),
      );
    },
  });
}

/** Returns the expected entry in a response of the eligibility route, without `existing_credential`. */
function entryOf(offer: Offer, progress: Progress): object {
  const percentage = progress.earned * 10;
  const grades = {
    current_grades: { exam: percentage, total: percentage },
    required_grades: { exam: 65, total: 80 },
  };
  const entry = {
    credential_type_id: offer.credentialTypeId,
    name: offer.credentialType,
    is_eligible: offer.isEarnedBy(progress),
  };
  if (offer.credentialType === "Completion")
    return { ...entry, current_completion: progress.completion, required_completion: 0.9 };
  if (offer.learningContextKey === COURSE) return { ...entry, ...grades };
  const isStepDone = progress.isEnrolled && progress.earned >= 8;
  return { ...entry, steps: { [COURSE]: { is_eligible: isStepDone, ...grades } } };
}

interface RestEntry {
  readonly credential_type_id: number;
  readonly existing_credential: null | {
    readonly uuid: string;
    readonly verify_uuid: string;
    readonly status: "generating" | "available";
    readonly created: string;
    readonly download_url: string | null;
  };
}

async function eligibilityOverRest(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  if (username === undefined) return;
  const contextKey = chance.pick([COURSE, COURSE, PATH]) as string;
  const isStaff = chance.next() < 0.4;
  const isFiltered = chance.next() < 0.2;
  const query = new URLSearchParams();
  if (isStaff) query.set("username", username);
  if (isFiltered) query.set("retrieval_func", "learning_credentials.processors.retrieve_completions");
  const url = `${httpUrlOf(scene, chance)}${REST}/eligibility/${contextKey}/?${query}`;
  const token = isStaff ? scene.deployment.staffToken : await scene.deployment.tokenOf(username);
  const offers = scene.deployment.offers.filter(
    ({ learningContextKey, credentialType }) =>
      learningContextKey === contextKey && (!isFiltered || credentialType === "Completion"),
  );
  await scene.journal.call({
    kind: "REST eligibility",
    about: username,
    request: `${isStaff ? "staff" : "learner"} ${url}`,
    send: () => get(url, bearer(token)),
    judge({ status, body }, span) {
      if (status === 404 && body === noContext(contextKey) && !isStaff) {
        scene.model.seeProgress(username, span, (progress) => !hasAccess(contextKey, progress));
        return;
      }
      if (status !== 200) wrong(`the status is ${status}`);
      const answer = JSON.parse(body) as { context_key: string; credentials: RestEntry[] };
      if (answer.context_key !== contextKey) wrong("it is another context");
      const entries = answer.credentials.map(({ existing_credential: _, ...entry }) => entry);
      scene.model.seeProgress(
        username,
        span,
        (progress) =>
          (isStaff || hasAccess(contextKey, progress)) &&
          isDeepStrictEqual(
            entries,
            offers.map((offer) => entryOf(offer, progress)),
          ),
      );
      answer.credentials.forEach(({ existing_credential: existing }, index) => {
        const { configurationId } = offers[index] as Offer;
        if (existing && (existing.status === "available") !== (existing.download_url !== null))
          wrong("the link does not fit the status");
        seeExisting(
          scene,
          username,
          configurationId,
          existing && {
            uuid: existing.uuid,
            verifyUuid: existing.verify_uuid,
            status: existing.status,
            created: Date.parse(existing.created) / 1000,
          },
          span,
        );
      });
    },
  });
}

function seeExisting(
  { model }: Scene,
  username: string,
  configurationId: number,
  existing: { uuid: string; verifyUuid: string; status: Status; created: number } | null,
  span: Span,
): void {
  if (!existing) {
    model.seeInForce(username, configurationId, undefined, span);
    return;
  }
  const { uuid, verifyUuid, status, created } = existing;
  if (status !== "generating" && status !== "available") wrong(`the status is ${status}`);
  model.seeInForce(
    username,
    configurationId,
    { uuid, username, configurationId, status, facts: { verifyUuid, created } },
    span,
  );
}

async function eligibilityOverRpc(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  if (username === undefined) return;
  const contextKey = chance.pick([COURSE, PATH]) as string;
  const offers = scene.deployment.offers.filter(
    ({ learningContextKey }) => learningContextKey === contextKey,
  );
  const { name, client } = addressOf(scene, chance);
  await scene.journal.call({
    kind: `${name} GetEligibility`,
    about: username,
    request: { contextKey, username },
    send: () => client.eligibility.getEligibility({ learningContextKey: contextKey, username }),
    judge({ credentials }, span) {
      scene.model.seeProgress(username, span, (progress) =>
        isDeepStrictEqual(
          credentials.map(restEntry),
          offers.map((offer) => entryOf(offer, progress)),
        ),
      );
      credentials.forEach(({ existingCredential: existing }, index) => {
        seeExisting(
          scene,
          username,
          (offers[index] as Offer).configurationId,
          existing
            ? {
                uuid: existing.uuid,
                verifyUuid: existing.verifyUuid,
                status: statusOf(existing.status),
                created: Number(existing.createTime?.seconds),
              }
            : null,
          span,
        );
      });
    },
  });
}

/** Converts an entry to the form of the REST route. */
function restEntry(entry: CredentialEligibility): object {
  const grades = (of: readonly Grade[]) => Object.fromEntries(of.map(({ key, value }) => [key, value]));
  const report = (
    of: Pick<
      CredentialEligibility,
      "currentGrades" | "requiredGrades" | "currentCompletion" | "requiredCompletion"
    >,
  ) => ({
    ...(of.requiredGrades.length > 0 && {
      current_grades: grades(of.currentGrades),
      required_grades: grades(of.requiredGrades),
    }),
    ...(of.requiredCompletion !== undefined && {
      current_completion: of.currentCompletion,
      required_completion: of.requiredCompletion,
    }),
  });
  return {
    credential_type_id: entry.credentialTypeId,
    name: entry.name,
    is_eligible: entry.isEligible,
    ...report(entry),
    ...(entry.steps.length > 0 && {
      steps: Object.fromEntries(
        entry.steps.map(({ key, value }) => [
          key,
          value && { is_eligible: value.isEligible, ...report(value) },
        ]),
      ),
    }),
  };
}

/** Makes calls that must be refused: without a token, or about another learner. */
async function forbidden(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  if (username === undefined) return;
  const isAnonymous = chance.next() < 0.5;
  const url = `${httpUrlOf(scene, chance)}${REST}/eligibility/${COURSE}/?username=somebody-else`;
  const headers = isAnonymous ? {} : bearer(await scene.deployment.tokenOf(username));
  await scene.journal.call({
    kind: "REST eligibility",
    about: username,
    request: `${isAnonymous ? "anonymous" : "learner"} ${url}`,
    send: () => get(url, headers),
    judge({ status }) {
      if (status !== 403) wrong(`the status is ${status}`);
    },
  });
}

async function getCredential(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  if (!known) return;
  const { uuid, username = "" } = known;
  const { name, client } = addressOf(scene, chance);
  await scene.journal.call({
    kind: `${name} GetCredential`,
    about: username,
    request: uuid,
    send: () => client.credentials.getCredential({ uuid }),
    judge(credential, span) {
      if (credential.uuid !== uuid) wrong("it is another one");
      scene.model.see(reportedBy(credential, scene.deployment.offers), span);
    },
  });
}

async function listOfLearner(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  if (username === undefined) return;
  const offer = chance.next() < 0.3 ? chance.pick(scene.deployment.offers) : undefined;
  const { name, client } = addressOf(scene, chance);
  const configurationId = offer?.configurationId ?? 0;
  await scene.journal.call({
    kind: `${name} ListCredentials`,
    about: username,
    request: { username, configurationId },
    send: () => client.credentials.listCredentials({ username, configurationId, pageSize: 1000 }),
    judge({ credentials, nextPageToken }, span) {
      if (nextPageToken !== "") wrong("there is a next page");
      const reported = credentials.map((credential) => reportedBy(credential, scene.deployment.offers));
      scene.model.seeAllOf(username, offer?.configurationId, reported, span);
    },
  });
}

async function listOwn(scene: Scene, chance: Chance): Promise<void> {
  const username = scene.subjects.learner(chance);
  if (username === undefined) return;
  const address = addressOf(scene, chance);
  const client = address.as(await scene.deployment.tokenOf(username));
  await scene.journal.call({
    kind: "ListMyCredentials",
    about: username,
    request: username,
    send: () => client.credentials.listMyCredentials({ pageSize: 1000 }),
    judge({ credentials }, span) {
      const reported = credentials.map((credential) => reportedBy(credential, scene.deployment.offers));
      scene.model.seeAllOf(username, undefined, reported, span);
    },
  });
}

/**
 * Lists all pages of credentials with one status. Every credential that had this status during the whole call must be
 * included.
 */
async function listByStatus(scene: Scene, chance: Chance): Promise<void> {
  const { name, client } = addressOf(scene, chance);
  const status = chance.pick([CredentialStatus.AVAILABLE, CredentialStatus.INVALIDATED]) as CredentialStatus;
  await scene.journal.call({
    kind: `${name} ListCredentials`,
    about: "everybody",
    request: { status: CredentialStatus[status] },
    async send() {
      const all = [];
      for (let pageToken = ""; ; ) {
        const page = await client.credentials.listCredentials({ status, pageSize: 400, pageToken });
        all.push(...page.credentials);
        pageToken = page.nextPageToken;
        if (pageToken === "") return all;
      }
    },
    judge(all, span) {
      const shown = new Set(all.map(({ uuid }) => uuid));
      if (shown.size < all.length) wrong("one is listed twice");
      for (const credential of all) {
        if (credential.status !== status) wrong(`${credential.uuid} has another status`);
        scene.model.see(reportedBy(credential, scene.deployment.offers), span);
      }
      const missing = scene.model.missingFrom(statusOf(status), shown, span);
      if (missing) wrong(`${missing.uuid} is missing`);
    },
  });
}

async function download(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  if (!known) return;
  const { uuid, username = "" } = known;
  const { name, client } = addressOf(scene, chance);
  let url: string | undefined;
  await scene.journal.call({
    kind: `${name} GetDownloadUrl`,
    about: username,
    request: uuid,
    send: () => client.credentials.getDownloadUrl({ uuid }),
    judge(answer, span) {
      scene.model.seeAvailable(uuid, span);
      url = answer.url;
    },
    judgeRefusal({ code }, span) {
      if (code !== "failed_precondition") wrong(`the code is ${code}`);
      scene.model.seeNotAvailable(uuid, span);
    },
  });
  if (url !== undefined) await fetchFile(scene, known, url);
}

async function fetchFile(scene: Scene, known: Known, url: string): Promise<void> {
  await scene.journal.call({
    kind: "store GET file",
    about: known.username ?? "",
    request: url,
    async send() {
      const response = await fetch(url);
      const bytes = Buffer.from(await response.arrayBuffer());
      return {
        status: response.status,
        size: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      };
    },
    judge({ status, size, sha256 }, span) {
      if (status === 404) return scene.model.seeFileGone(known.uuid, span);
      if (status !== 200) wrong(`the status is ${status}`);
      scene.model.seeFile(known.uuid, { fileSha256: sha256, fileSize: size });
    },
  });
}

/** Follows the download page to the file, as its holder does. */
async function downloadPage(scene: Scene, chance: Chance): Promise<void> {
  const known = scene.subjects.credential(chance);
  if (!known) return;
  const { uuid, username = "" } = known;
  const isHolder = chance.next() < 0.7;
  const token = await scene.deployment.tokenOf(isHolder ? username : "somebody-else");
  await followLink(scene, known, `${httpUrlOf(scene, chance)}/download/credential/${uuid}/`, {
    headers: bearer(token),
    judge({ status }, span) {
      if (!isHolder) return status === 404 || wrong(`the status is ${status}`);
      if (status === 302) return scene.model.seeAvailable(uuid, span);
      return status === 400 ? scene.model.seeNotAvailable(uuid, span) : wrong(`the status is ${status}`);
    },
  });
}

async function emailedLink(scene: Scene, chance: Chance): Promise<void> {
  const email = chance.pick(scene.deployment.sink.received);
  if (!email) return;
  const { messageId = "", text = "" } = await PostalMime.parse(email.raw);
  const [, uuid = ""] = /^<([^@]+)@/.exec(messageId) ?? [];
  const [link] = /http:\S+\/download\/\S+\//.exec(text) ?? [];
  const known = scene.model.known(uuid);
  if (!known) return;
  if (link === undefined) return scene.journal.complain(`the mail about ${uuid} has no link:\n${text}`);
  await followLink(scene, known, link, {
    headers: {},
    judge({ status }, span) {
      if (status === 302) return scene.model.seeAvailable(uuid, span);
      // The email with the link was sent while the credential was available.
      return status === 410 ? scene.model.seeFileGone(uuid, span) : wrong(`the status is ${status}`);
    },
  });
}

async function followLink(
  scene: Scene,
  known: Known,
  url: string,
  { headers, judge }: { headers: Record<string, string>; judge(page: Page, span: Span): unknown },
): Promise<void> {
  let location: string | undefined;
  await scene.journal.call({
    kind: "GET download",
    about: known.username ?? "",
    request: url,
    send: async () => {
      const page = await get(url, headers);
      return { ...page, body: "" };
    },
    judge(page, span) {
      judge(page, span);
      location = page.location;
    },
  });
  if (location !== undefined) await fetchFile(scene, known, location);
}

async function lookAtRun(scene: Scene, chance: Chance): Promise<void> {
  const id = chance.pick(scene.runBook.ids.slice(-20));
  if (id === undefined) return;
  const { name, client } = addressOf(scene, chance);
  await scene.journal.call({
    kind: `${name} GetIssuanceRun`,
    about: `run ${id}`,
    request: id,
    send: () => client.credentials.getIssuanceRun({ id }),
    judge(run, span) {
      if (run.id !== id) wrong("it is another one");
      scene.runBook.see(run, span);
    },
  });
}

async function listRuns(scene: Scene, chance: Chance): Promise<void> {
  const { name, client } = addressOf(scene, chance);
  await scene.journal.call({
    kind: `${name} ListIssuanceRuns`,
    about: "runs",
    request: {},
    send: () => client.credentials.listIssuanceRuns({ pageSize: 200 }),
    judge({ runs, nextPageToken }, span) {
      scene.runBook.seeList(runs, nextPageToken !== "", span);
    },
  });
}

async function listEligible(scene: Scene, chance: Chance): Promise<void> {
  const { name, client } = addressOf(scene, chance);
  const { configurationId } = chance.pick(scene.deployment.offers) as Offer;
  await scene.journal.call({
    kind: `${name} ListEligibleLearners`,
    about: "everybody",
    request: configurationId,
    async send() {
      const usernames: string[] = [];
      for await (const { learners } of client.eligibility.listEligibleLearners({ configurationId }))
        usernames.push(...learners.map(({ username }) => username));
      return usernames;
    },
    judge(usernames, span) {
      if (!isDeepStrictEqual(usernames, [...usernames].sort())) wrong("they are out of order");
      scene.model.seeEligible(configurationId, usernames, span);
    },
  });
}

async function listConfigurations(scene: Scene, chance: Chance): Promise<void> {
  const { name, client } = addressOf(scene, chance);
  const ids = scene.deployment.offers.map(({ configurationId }) => configurationId);
  await scene.journal.call({
    kind: `${name} ListCredentialConfigurations`,
    about: "configurations",
    request: {},
    send: () => client.configurations.listCredentialConfigurations({}),
    judge({ credentialConfigurations }) {
      if (!isDeepStrictEqual(credentialConfigurations.map(({ id }) => id).sort(), ids))
        wrong("they are other ones");
    },
  });
}

/** /readyz reports a dependency as down if it takes longer than this. */
const PATIENCE_MS = 2_000;

async function health(scene: Scene, chance: Chance): Promise<void> {
  const path = chance.pick(["/livez", "/readyz"]) as string;
  const url = `${httpUrlOf(scene, chance)}${path}`;
  await scene.journal.call({
    kind: `GET ${path}`,
    about: "health",
    request: url,
    send: async () => {
      const response = await fetch(url);
      const body = await response.text();
      const isSlow = [...body.matchAll(/"works":false,"ms":([\d.]+)/g)].some(
        ([, ms]) => Number(ms) >= PATIENCE_MS,
      );
      if (response.status !== 200 && !isSlow) throw new Refusal(`http ${response.status}`, body);
      return { status: response.status, body };
    },
    judge({ status }) {
      if (path === "/livez" && status !== 200) wrong(`the status is ${status}`);
    },
  });
}
