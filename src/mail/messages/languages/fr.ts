import type { Wording } from "../wording.js";

export const wording: Wording = {
  direction: "ltr",
  subject: "{platformName}\u00a0: votre attestation pour {learningContextName} est disponible",
  heading: "Votre attestation est disponible",
  introduction: "{platformName} vous a délivré une attestation.",
  credentialType: "Attestation\u00a0: {credentialType}",
  learningContext: "Cours ou parcours d’apprentissage\u00a0: {learningContextName}",
  download: "Télécharger l’attestation",
  privacy: "Ce lien est personnel\u00a0: toute personne qui le possède peut télécharger votre attestation.",
};
