import type { FindingWording } from "../en/finding.js";

export const words: FindingWording = {
  thisMonth: "Questo mese",
  lastMonth: "Il mese scorso",
  thisYear: "Quest’anno",
  presets: "Richiesti spesso",
  keys: "Tasti",
  searchKey: "Cercare tutto: un nome, un indirizzo, un UUID, una pagina",
  arrowsKey: "Scegliere tra ciò che è stato trovato",
  enterKey: "Aprire ciò che è scelto, o inviare il modulo",
  escapeKey: "Chiudere un dialogo; non succede nulla",
  tabKey: "Al campo o pulsante successivo, indietro con Maiusc",
  helpKey: "Questi tasti",
};
