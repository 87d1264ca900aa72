import { vi } from "vitest";
import { prepareSample } from "#app/commands/prepare-sample.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { launchChromium } from "../edges/pages/chromium.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { freePort } from "../support/free-port.js";
import { given } from "../support/given.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { buildConsole } from "./built-console.js";

/** Issuing to a thousand learners takes minutes while other tests are running. */
const PREPARED_MS = 900_000;

/** Starts the sample academy with a built console. Like after `npm start`, it is reached over plain HTTP. */
export async function openConsoleAcademy(): Promise<TestService> {
  buildConsole();
  const settings = { ...(await ownAddress()), PLATFORM_NAME: "Harbour Light Academy" };
  const service = await startTestService({ worker: true, settings });
  await prepareSample(service.app, false, new AbortController().signal);
  await settled(service);
  return service;
}

/** Returns settings of a service that browsers reach under its public URL. */
export async function ownAddress(): Promise<{ HTTP_PORT: string; PUBLIC_URL: string }> {
  const port = await freePort();
  return { HTTP_PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
}

export async function settled(service: TestService): Promise<void> {
  const client = service.client(CredentialService, await tokenOf({ username: "rita", isStaff: true }));
  const generating = async () => {
    const { credentials } = await client.listCredentials({ status: CredentialStatus.GENERATING });
    return credentials.length;
  };
  await vi.waitUntil(async () => (await generating()) === 0, { timeout: 60_000, interval: 200 });
}

/**
 * Provides an academy with a built console, and a browser, for a `describe`.
 * @param prepare prepares the data for its tests
 */
export function givenConsole(
  executable: string | undefined,
  options: Parameters<typeof openAcademy>[0],
  prepare: (academy: Academy) => Promise<unknown>,
) {
  return given(
    async () => {
      buildConsole();
      const settings = { ...(await ownAddress()), ...options?.settings };
      const academy = await openAcademy({ ...options, settings });
      await prepare(academy);
      return { ...academy, browser: await launchChromium(executable as string) };
    },
    async ({ service, browser }) => {
      await browser.close();
      await service.stop();
    },
    PREPARED_MS,
  );
}

/** Provides the sample academy with a console in a browser, and clients to configure it, for a `describe`. */
export function givenDesigners(executable: string | undefined) {
  return given(
    async () => {
      const service = await openConsoleAcademy();
      const browser = await launchChromium(executable as string);
      const token = await tokenOf({ username: "registrar", isStaff: true });
      return { service, browser, staff: service.client(ConfigurationService, token) };
    },
    async ({ service, browser }) => {
      await browser.close();
      await service.stop();
    },
  );
}
