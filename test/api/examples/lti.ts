import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { examplesOf } from "./example.js";
import { type Known, UNKNOWN_ID } from "./known.js";

const NO_PLATFORM = "NotFound: There is no platform";
const NO_ROLE = "PermissionDenied: role admin";

const settings = {
  issuer: "https://lms.example.org",
  authorizationUrl: "https://lms.example.org/auth",
  tokenUrl: "https://lms.example.org/token",
  jwksUrl: "https://lms.example.org/jwks",
};
const acceptance = { organisations: ["Uni"] };
const created = ({ transport }: Known) => ({ settings: { ...settings, clientId: `new~${transport}~` } });

/** The effects of the methods are tested in `test/lti/`. */
export const lti = examplesOf(LtiService, {
  createLtiInvitation: [
    ["platform: an invitation", {}],
    ["staff: without the role", {}, NO_ROLE],
  ],
  createLtiPlatform: [
    ["platform: a platform", created],
    ["platform: without settings", {}, "InvalidArgument: settings is missing"],
  ],
  listLtiPlatforms: [
    ["platform: all", {}],
    ["staff: without the role", {}, NO_ROLE],
  ],
  acceptLtiPlatform: [
    ["platform: a platform", ({ platformId }) => ({ id: platformId, acceptance })],
    ["platform: without a number", { acceptance: {} }, "InvalidArgument: id is 0"],
  ],
  refuseLtiPlatform: [
    ["platform: a platform", ({ platformId }) => ({ id: platformId })],
    ["platform: an unknown one", { id: UNKNOWN_ID }, NO_PLATFORM],
  ],
  deleteLtiPlatform: [
    ["platform: a platform", ({ gone }) => ({ id: gone.platformId })],
    ["platform: an unknown one", { id: UNKNOWN_ID }, NO_PLATFORM],
  ],
  decideLtiDeployment: [
    ["platform: a deployment", ({ platformId }) => ({ platformId, deploymentId: "5" })],
    ["platform: of an unknown platform", { platformId: UNKNOWN_ID, deploymentId: "5" }, NO_PLATFORM],
  ],
  checkLtiPlatform: [
    ["platform: a platform", ({ platformId }) => ({ id: platformId })],
    ["platform: an unknown one", { id: UNKNOWN_ID }, NO_PLATFORM],
  ],
  rotateLtiKey: [
    ["platform: a new key", {}],
    ["staff: without the role", {}, NO_ROLE],
  ],
});
