import type { ReplacementWording } from "../en/replacement.js";

export const words: ReplacementWording = {
  means:
    "Se este certificado foi substituído por outro emitido à parte, vincule os dois. Assim, uma retirada que era só uma correção não parece fraude. Nada é emitido e ninguém recebe um e-mail. Isso não pode ser desfeito.",
  search: "Qual certificado o substitui?",
  searchHelp: "Escolha abaixo um do mesmo estudante, ou cole o endereço ou o UUID de um.",
  found: "Certificados encontrados",
  none: "Não há outro certificado deste estudante",
  noneMeans: "Emita primeiro o certo, ou reemita em vez de vincular. Depois volte aqui.",
  unfit: {
    itself: "É o próprio certificado retirado.",
    otherLearner: "É de outro estudante.",
    notAvailable: "Não é válido agora: só um válido pode substituir outro.",
    replacesAnother: "Já substitui outro certificado.",
  },
  wouldHappen: "O que acontecerá",
  oldPage: "A página do certificado retirado dirá que ele foi substituído, e levará ao novo.",
  newPage: "O novo certificado dirá qual ele substitui. O documento dele fica como está.",
  link: "Vincular como substituto",
};
