import type { FindingWording } from "../en/finding.js";

export const words: FindingWording = {
  thisMonth: "Dieser Monat",
  lastMonth: "Letzter Monat",
  thisYear: "Dieses Jahr",
  presets: "Oft gefragt",
  keys: "Tasten",
  searchKey: "Alles durchsuchen: ein Name, eine Adresse, eine UUID, eine Seite",
  arrowsKey: "Unter dem Gefundenen wählen",
  enterKey: "Das Gewählte öffnen, oder das Formular absenden",
  escapeKey: "Einen Dialog schließen; es geschieht nichts",
  tabKey: "Zum nächsten Feld oder Knopf, mit Umschalt zurück",
  helpKey: "Diese Tasten",
};
