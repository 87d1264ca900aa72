import type { FindingWording } from "../en/finding.js";

export const words: FindingWording = {
  thisMonth: "Este mes",
  lastMonth: "El mes pasado",
  thisYear: "Este año",
  presets: "Lo más buscado",
  keys: "Teclas",
  searchKey: "Buscar en todo: un nombre, un correo, un UUID, una página",
  arrowsKey: "Elegir entre lo encontrado",
  enterKey: "Abrir lo elegido, o enviar el formulario",
  escapeKey: "Cerrar un diálogo; no se hace nada",
  tabKey: "Al campo o botón siguiente, y atrás con Mayús",
  helpKey: "Estas teclas",
};
