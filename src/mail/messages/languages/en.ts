import type { Wording } from "../wording.js";

export const wording: Wording = {
  direction: "ltr",
  subject: "{platformName}: your credential for {learningContextName} is available",
  heading: "Your credential is available",
  introduction: "{platformName} has issued a credential to you.",
  credentialType: "Credential: {credentialType}",
  learningContext: "Course or learning path: {learningContextName}",
  download: "Download your credential",
  privacy: "This link is personal: anyone who has it can download your credential.",
};
