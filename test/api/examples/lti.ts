import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { examplesOf } from "./example.js";

/** Settings of the services of these tests: without HTTPS, LTI is off. The effects of the methods are tested in `test/lti/`. */
export const WITHOUT_LTI = { PUBLIC_URL: "http://credentials.test" };

const OFF = "FailedPrecondition: LTI is off: it needs a PUBLIC_URL that starts with https://";

export const lti = examplesOf(LtiService, {
  createLtiInvitation: [["platform: off", {}, OFF]],
  createLtiPlatform: [["platform: off", { settings: { issuer: "https://lms.example.org" } }, OFF]],
  listLtiPlatforms: [
    ["platform: off", {}, OFF],
    ["staff: without the role", {}, "PermissionDenied: role admin"],
  ],
  acceptLtiPlatform: [
    ["platform: off", { id: 1, acceptance: { organisations: ["Uni"] } }, OFF],
    ["platform: without a number", { acceptance: {} }, "InvalidArgument: id is 0"],
  ],
  refuseLtiPlatform: [["platform: off", { id: 1 }, OFF]],
  deleteLtiPlatform: [["platform: off", { id: 1 }, OFF]],
  decideLtiDeployment: [["platform: off", { platformId: 1, deploymentId: "5" }, OFF]],
  rotateLtiKey: [["platform: off", {}, OFF]],
});
