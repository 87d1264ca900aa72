import type { MailsWording } from "../en/mails.js";
import { counter } from "../plural.js";

const count = counter("pt");

export const words: MailsWording = {
  means: "Todos os e-mails sobre certificados: que um está disponível, expira em breve ou foi retirado.",
  kinds: {
    available: "Certificado disponível",
    expiry: count({ one: "Expira em um dia", other: "Expira em {n} dias" }),
    withdrawal: "Certificado retirado",
  },
  byState: "Por estado",
  state: "Estado",
  states: {
    waiting: "Em espera",
    sent: "Enviado",
    refused: "Recusado",
    "no-address": "Sem endereço",
    dropped: "Não enviado",
  },
  meanings: {
    waiting:
      "Está na fila. Se o servidor de e-mail não puder ser contatado, uma nova tentativa é automática.",
    sent: "O servidor de e-mail o aceitou.",
    refused: "O servidor de e-mail o recusou definitivamente. Corrija o endereço e reenvie o e-mail.",
    "no-address": "O estudante não tinha endereço de e-mail. Adicione um e reenvie o e-mail.",
    dropped: "O certificado foi retirado, renovado ou substituído, ou o estudante apagado, antes do envio.",
  },
  changed: "Neste estado desde",
  action: "Ação",
  resent: count({ one: "Reenviado uma vez", other: "Reenviado {n} vezes" }),
  ofCredential: "Sobre o certificado",
  noneYet: "Ainda não há e-mails",
  noneYetMeans:
    "Um e-mail entra na fila assim que o documento de um certificado é criado. Aqui você vê se ele chegou ao servidor de e-mail, e o reenvia a quem o perdeu.",
  noneInState: "Nenhum e-mail está neste estado",
  showAll: "Mostrar todos os e-mails",
  resendTitle: "Reenviar o e-mail",
  resendMeans: "Envia de novo o e-mail sobre este certificado, no máximo cinco vezes por dia.",
  to: "Para",
  noAddress: "O estudante não tem endereço de e-mail. Adicione-o aqui ou na plataforma.",
  noRecord: "Não há mais registro deste estudante e, portanto, nenhum endereço.",
  soFar: "Até agora",
  answered: "Resposta do servidor de e-mail",
  refusals: {
    noMailbox: "A caixa de correio não existe",
    noDomain: "O domínio não recebe e-mails",
    disabled: "A caixa de correio está desativada",
    full: "A caixa de correio está cheia",
    tooLarge: "O e-mail é grande demais",
  },
  neverSent: "Nenhum e-mail sobre ele entrou na fila ainda.",
  isWaiting: "Já está a caminho.",
  withdrawalEmail: count({
    one: "O estudante recebe um e-mail com o motivo, se o endereço for conhecido.",
    other: "Os estudantes recebem um e-mail com o motivo, se o endereço for conhecido.",
  }),
  reissueEmail: count({
    one: "O estudante recebe um e-mail sobre o novo certificado, se o endereço for conhecido.",
    other: "Os estudantes recebem um e-mail sobre os novos certificados, se o endereço for conhecido.",
  }),
  andMore: count({ one: "e mais {n}", other: "e mais {n}" }),
  sendAgain: "Reenviar",
};
