import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

export async function* checkEmailServer({
  checkEmail,
}: Pick<DoctorDeps, "checkEmail">): AsyncGenerator<Finding> {
  try {
    await checkEmail?.();
  } catch (error) {
    yield { kind: "silent-mail-server", detail: (error as Error).message };
  }
}
