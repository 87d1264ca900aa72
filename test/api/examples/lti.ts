import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { examplesOf } from "./example.js";

/** The services of these tests have no LTI_SECRET. The effects of the methods are tested in `test/lti/`. */
const OFF = "FailedPrecondition: LTI is off: set LTI_SECRET to turn it on";

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
