import type { BrandingWording } from "../en/branding.js";

export const words: BrandingWording = {
  title: "Apparence des pages et des courriels",
  means:
    "Les pages de vérification, les courriels et les pages pour les apprenants montrent ce nom, cette couleur et ce logo, et à qui s’adresser. Une organisation montre ce qui vaut pour tout le service, sauf indication contraire. Les nouveaux documents du générateur du service ont le logo et la couleur si leur type n’en indique pas d’autres, et le nom, le contact et les mentions légales là où leur modèle les demande.",
  organisation: "Organisation",
  wholeService: "Tout le service",
  another: "Une autre organisation…",
  organisationCode: "Code de l’organisation",
  organisationCodeMeans: "Comme dans les clés de ses cours : Uni dans course-v1:Uni+Cours+2026.",
  nameMeans: "Figure en tête des pages et des courriels. Il ne change pas l’émetteur d’un certificat.",
  accent: "Couleur des liens et des boutons",
  accentMeans: "Par exemple #1f5468. Elle est assombrie ou éclaircie là où elle serait illisible.",
  pickColour: "Choisir la couleur",
  logoMeans:
    "Un PNG ou JPEG parmi les fichiers des modèles, de 200 Ko au plus. Les courriels le contiennent.",
  noLogo: "Pas de logo",
  asService: "Comme tout le service",
  contactMeans: "Une adresse électronique ou une adresse avec https.",
  imprintMeans: "La page qui dit qui est responsable devant la loi, avec https.",
  saved: "Enregistré. Les pages le montrent en dix secondes.",
  mail: "Ce que les apprenants reçoivent",
  mailKind: "Courriel",
  subject: "Objet",
  heading: "Titre",
  introduction: "Texte après la salutation",
  mailPlaceholders:
    "Ce qui est vide dit les mots en gris. Chaque ligne est un paragraphe. Vous pouvez nommer :",
  usualWords: "Revenir aux mots habituels",
  asSent: "Tel que les apprenants le reçoivent",
  mailKinds: {
    1: "Il est disponible",
    2: "Il expire bientôt",
    3: "Il a été retiré",
  },
  language: "Langue du lecteur",
  tryWords: "Vos propres mots",
  tryWordsMean:
    "Pour essayer. Pour les envoyer, mettez-les dans l’option des courriels d’un type ou de ce qu’offre un cours.",
};
