import type { NamesWording } from "../en/names.js";
import { counter } from "../plural.js";

const count = counter("pt");

export const words: NamesWording = {
  correct: "Corrigir o nome…",
  correctEmail: "Corrigir o endereço…",
  issueOne: "Emitir um certificado…",
  willPrint: "Pode ser emitido e imprime o nome {name}.",
  printed: "Nome a imprimir",
  printedMeans: "Os certificados emitidos a partir de agora o trazem.",
  emailMeans: "A partir de agora, os e-mails para esta pessoa vão para este endereço.",
  told: "O registro diz {name}.",
  reasonMeans: "Para a equipe. Não é público.",
  stays:
    "A correção permanece quando a plataforma envia de novo o mesmo nome. Se ela enviar outro, perguntaremos qual é o certo.",
  emailStays:
    "A correção permanece quando a plataforma envia de novo o mesmo endereço. Se ela enviar outro, perguntaremos qual é o certo.",
  noRecordedEmail: "O registro não tem endereço de e-mail.",
  save: "Corrigir",
  correctedBy: "Corrigido por {by} em {date}: {reason}",
  undecided: "O registro diz agora {told}, que é novo. {name} continua a valer até que alguém decida.",
  keep: "Manter {name}",
  take: "Adotar {told}",
  withdraw: "Retirar a correção",
  bounded:
    "Nomes e endereços são comuns a todas as organizações: só quem tem acesso a todas pode alterá-los.",
  onReissue: "Nome no novo certificado",
  onReissueMeans: "Se estiver errado, corrija-o aqui: o nome da pessoa é corrigido pelo mesmo motivo.",
  others: count({
    one: "{n} certificado válido traz outro nome.",
    other: "{n} certificados válidos trazem outro nome.",
  }),
  toDecide: count({
    one: "Há {n} nome corrigido a decidir: a plataforma mudou o dela.",
    other: "Há {n} nomes corrigidos a decidir: a plataforma mudou os dela.",
  }),
  emailsToDecide: count({
    one: "Há {n} endereço de e-mail corrigido a decidir: a plataforma mudou o dela.",
    other: "Há {n} endereços de e-mail corrigidos a decidir: a plataforma mudou os dela.",
  }),
  learnerRecordMeans:
    "Suas insígnias, em um arquivo assinado que é válido por 90 dias. O PDF as lista para leitura e contém esse arquivo.",
  downloadRecord: "Baixar o histórico",
  downloadRecordPdf: "Baixar em PDF",
  recordIsPartial: "Nem todos os certificados válidos estão nele: alguns não têm insígnia, ou são demais.",
};
