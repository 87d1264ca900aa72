import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

/** Checks that mails could be sent. */
export async function* checkMailServer({
  checkMail,
}: Pick<DoctorDeps, "checkMail">): AsyncGenerator<Finding> {
  try {
    await checkMail?.();
  } catch (error) {
    yield { kind: "silent-mail-server", detail: (error as Error).message };
  }
}
