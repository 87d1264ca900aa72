import { describe, expect, test, vi } from "vitest";
import { IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { givenConsole } from "../given-console.js";
import { expectMissing, openVisitor, signIn } from "../visitor.js";

const LEARNERS = 1000;
const AT_ONCE = 100;
const REASON = "Issued under the wrong requirements.";

const executable = findChromium();

describe.skipIf(executable === undefined)(`a run of ${LEARNERS}`, () => {
  let runId: string;
  const academy = givenConsole(executable, { worker: true }, async (opened) => {
    for (const names of inGroups(Array.from({ length: LEARNERS }, (_, index) => `learner${index}`)))
      await opened.enrol(...names);
    const { configurationId, credentials } = opened;
    const { run } = await credentials.startIssuanceRun({ configurationId });
    runId = run?.id ?? "";
    const isComplete = async () =>
      (await credentials.getIssuanceRun({ id: runId })).state === IssuanceRunState.COMPLETE;
    await vi.waitUntil(isComplete, { timeout: 600_000, interval: 500 });
  });

  test("is withdrawn as a whole: plan, number typed, done; each verification reports the invalidation", async () => {
    const { service, credentials } = academy;
    const visitor = await openVisitor(academy.browser, service);
    await signIn(visitor, service);
    const { page, requests } = visitor;
    await page.goto(`${service.httpUrl}/console/runs/${runId}`);
    await page.getByText("1,000 of 1,000 done").first().waitFor();
    const clicksBefore = await visitor.clicks();
    const requestsBefore = requests.length;
    await page.getByRole("link", { name: "Credentials of this run" }).click();
    await page.getByLabel("Select this page").click();
    await page.getByRole("button", { name: "Select all 1,000 matching" }).click();
    await page.getByRole("button", { name: "Withdraw…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("1,000 credentials will be withdrawn.").waitFor();
    const confirm = dialog.getByRole("button", { name: "Withdraw 1,000 credentials" });
    await dialog.getByLabel("Reason").fill(REASON);
    const confirmation = dialog.getByLabel("Type 1000 to confirm");
    await confirmation.fill("999");
    await expectMissing(confirm, confirmation, "Type 1000 to confirm");
    await confirmation.fill("1000");
    await confirm.click();
    await page.getByText("1,000 credentials were withdrawn.").waitFor();
    expect((await visitor.clicks()) - clicksBefore).toBe(6); // one of these clicks came too early
    const calls = requests.slice(requestsBefore).filter((url) => url.includes("/console/rpc/"));
    expect(calls.length).toBeLessThan(20);

    const issued = await credentials.listCredentials({ pageSize: LEARNERS });
    expect(issued.credentials.map(({ invalidationReason }) => invalidationReason)).toEqual(
      Array(LEARNERS).fill(REASON),
    );
    for (const some of inGroups(issued.credentials)) {
      const answers = await Promise.all(some.map(({ verifyUuid }) => metadata(verifyUuid)));
      for (const answer of answers)
        expect(answer).toMatchObject({ status: "invalidated", invalidation_reason: REASON });
    }
    await visitor.leaveQuietly();
  });

  /** Returns what anyone can read about a credential. */
  async function metadata(verifyUuid: string): Promise<unknown> {
    const route = `${academy.service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`;
    return (await fetch(route)).json();
  }
});

function inGroups<T>(all: readonly T[]): T[][] {
  const starts = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) => index * AT_ONCE);
  return starts.map((start) => all.slice(start, start + AT_ONCE));
}
