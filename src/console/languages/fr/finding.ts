import type { FindingWording } from "../en/finding.js";

export const words: FindingWording = {
  thisMonth: "Ce mois-ci",
  lastMonth: "Le mois dernier",
  thisYear: "Cette année",
  presets: "Souvent demandé",
  keys: "Touches",
  searchKey: "Tout chercher : un nom, une adresse, un UUID, une page",
  arrowsKey: "Choisir parmi ce qui a été trouvé",
  enterKey: "Ouvrir ce qui est choisi, ou envoyer le formulaire",
  escapeKey: "Fermer un dialogue ; rien n’est fait",
  tabKey: "Au champ ou bouton suivant, et retour avec Maj",
  helpKey: "Ces touches",
};
