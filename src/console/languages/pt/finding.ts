import type { FindingWording } from "../en/finding.js";

export const words: FindingWording = {
  thisMonth: "Este mês",
  lastMonth: "Mês passado",
  thisYear: "Este ano",
  presets: "Mais procurados",
  keys: "Teclas",
  searchKey: "Buscar tudo: um nome, um e-mail, um UUID, uma página",
  arrowsKey: "Escolher entre o que foi encontrado",
  enterKey: "Abrir o escolhido, ou enviar o formulário",
  escapeKey: "Fechar um diálogo; nada é feito",
  tabKey: "Ao próximo campo ou botão, e de volta com Shift",
  helpKey: "Estas teclas",
};
