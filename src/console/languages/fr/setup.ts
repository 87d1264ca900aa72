import type { SetupWording } from "../en/setup.js";

export const words: SetupWording = {
  title: "Premiers pas",
  done: "(fait)",
  stepCourse: "Ayez un cours : connectez la plateforme qui le donne, ou créez-en un ici.",
  stepDesign: "Concevez une attestation : commencez par l’un des modèles.",
  stepOffer: "Proposez l’attestation dans le cours.",
  stepIssue: "Délivrez à une première personne. Une liste d’un seul nom suffit.",
  design: "Concevoir une attestation",
  toTypes: "Proposer une attestation",
  newCourse: "Créer un cours…",
  name: "Nom",
  nameMeans: "Les attestations l’impriment.",
  organisation: "Organisation",
  organisationMeans: "Un nom court, comme Uni. Il peut décider qui voit le cours.",
  edition: "Édition",
  editionMeans: "Distingue les cours du même nom : une année ou un semestre.",
  forPrograms: "Pour les programmes",
  code: "Code",
  codeMeans: "Vide : formé d’après le nom. Lettres, chiffres et - _ ~ . :",
  key: "Clé :",
  courseMeans:
    "Pour les cours dont aucune plateforme ne parle. Les personnes viennent d’une liste. Si une plateforme en parle plus tard, c’est elle qui compte.",
  make: "Créer le cours",
  made: "Il y a maintenant un cours :",
  madeMeans: "Proposez-y ensuite une attestation. Puis délivrez aux personnes d’une liste.",
  connect: "Connecter une plateforme…",
  connectMeans:
    "Qui exploite le service connecte Open edX, Moodle ou Canvas : la page « Connectors » de la documentation dit comment. Ces commandes le vérifient et montrent ce qui serait lu :",
  importMeans: "Les données de tout autre programme sont lues d’un fichier :",
};
