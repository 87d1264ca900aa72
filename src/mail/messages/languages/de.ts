import type { Wording } from "../wording.js";

export const wording: Wording = {
  direction: "ltr",
  subject: "{platformName}: Ihr Nachweis für {learningContextName} ist verfügbar",
  heading: "Ihr Nachweis ist verfügbar",
  introduction: "{platformName} hat Ihnen einen Nachweis ausgestellt.",
  credentialType: "Nachweis: {credentialType}",
  learningContext: "Kurs oder Lernpfad: {learningContextName}",
  download: "Nachweis herunterladen",
  privacy: "Dieser Link ist persönlich: Wer ihn hat, kann Ihren Nachweis herunterladen.",
};
