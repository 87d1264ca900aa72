import type { Wording } from "../wording.js";

export const wording: Wording = {
  direction: "ltr",
  subject: "{platformName}: su credencial de {learningContextName} está disponible",
  heading: "Su credencial está disponible",
  introduction: "{platformName} le ha otorgado una credencial.",
  credentialType: "Credencial: {credentialType}",
  learningContext: "Curso o itinerario de aprendizaje: {learningContextName}",
  download: "Descargar la credencial",
  privacy: "Este enlace es personal: cualquiera que lo tenga puede descargar su credencial.",
};
