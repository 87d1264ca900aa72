import { recordAct } from "#api/pipeline/recording.js";
import { inviterOf, readPlatform, registerDynamically } from "#domain/lti/dynamic-registration.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { type LtiWork, readForm } from "./lti-exchange.js";
import { registeredPage, registrationPage } from "./lti-pages.js";

export const ICON_PATH = "/lti/icon.svg";

export const register: LtiWork = async ({ lti, site, audit }, { request, query }, call, pageFrame) => {
  const registrationParameters =
    request.method === "POST" ? await readForm(request) : new URLSearchParams(query);
  const invitation = registrationParameters.get("invitation") ?? "";
  const configurationUrl = registrationParameters.get("openid_configuration") ?? "";
  const token = registrationParameters.get("registration_token") ?? "";
  // The platform's origin isn't known yet, so any HTTPS page may frame this one. The URL is secret.
  const frameAncestors = ["https:", new URL(site.publicUrl).origin];
  pageFrame.frameAncestors = frameAncestors;
  if (request.method !== "POST") {
    const { issuer } = await readPlatform(lti, invitation, configurationUrl);
    const fields = { invitation, openid_configuration: configurationUrl, registration_token: token };
    const page = registrationPage(site, pageFrame.language, new URL(issuer).host, fields);
    return { page, frameAncestors };
  }
  const inviter = await inviterOf(lti, invitation);
  const entry = {
    caller: { kind: inviter === COMMAND_LINE.name ? "command line" : "staff", name: inviter },
    method: "POST /lti/register",
    requestId: call.requestId,
    source: call.client,
    learners: [],
    others: [],
  } as const;
  await recordAct(audit, entry, call.signal, async (concerns) => {
    const platform = await registerDynamically(
      lti,
      invitation,
      configurationUrl,
      token,
      { name: site.platformName, description: pageFrame.language.ltiCourse, iconPath: ICON_PATH },
      call.signal,
    );
    await concerns({ others: [`platform:${platform}`] });
  });
  return { page: registeredPage(site, pageFrame.language), frameAncestors, sendsRequests: true };
};
