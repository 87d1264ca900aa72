import { administration } from "./administration.js";
import { caller } from "./caller.js";
import { configurations } from "./configurations.js";
import { credentials } from "./credentials.js";
import { eligibility } from "./eligibility.js";
import { learners } from "./learners.js";
import { lti } from "./lti.js";
import { previewLinks } from "./preview-links.js";
import { webhooks } from "./webhooks.js";

/** Examples of all methods. The order matters, because later calls use the results of earlier ones. */
export const examples = [
  ...credentials,
  ...configurations,
  ...previewLinks,
  ...eligibility,
  ...learners,
  ...caller,
  ...webhooks,
  ...lti,
  ...administration,
];
