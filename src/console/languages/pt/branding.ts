import type { BrandingWording } from "../en/branding.js";

export const words: BrandingWording = {
  title: "Aparência de páginas e e-mails",
  means:
    "As páginas de verificação, os e-mails e as páginas para estudantes mostram este nome, cor e logotipo, e a quem perguntar. Uma organização mostra o que vale para todo o serviço, se não disser outra coisa. Os novos documentos do gerador do serviço têm o logotipo e a cor, se o seu tipo não indicar outros, e o nome, o contato e o aviso legal onde o modelo os pedir.",
  organisation: "Organização",
  wholeService: "Todo o serviço",
  another: "Outra organização…",
  organisationCode: "Código da organização",
  organisationCodeMeans: "Como nas chaves de seus cursos: Uni em course-v1:Uni+Curso+2026.",
  nameMeans: "Fica no alto de páginas e e-mails. Não muda quem emitiu um certificado.",
  accent: "Cor de links e botões",
  accentMeans: "Por exemplo, #1f5468. Onde não se poderia ler, fica mais escura ou mais clara.",
  pickColour: "Escolher a cor",
  logoMeans: "Um PNG ou JPEG entre os arquivos dos modelos, de no máximo 200 KB. Os e-mails o levam consigo.",
  noLogo: "Sem logotipo",
  asService: "Como todo o serviço",
  contactMeans: "Um endereço de e-mail ou um endereço com https.",
  imprintMeans: "A página que diz quem é o responsável legal, com https.",
  saved: "Salvo. As páginas mostram isso em dez segundos.",
  mail: "O que os estudantes recebem por e-mail",
  mailKind: "E-mail",
  subject: "Assunto",
  heading: "Título",
  introduction: "Texto após a saudação",
  mailPlaceholders: "O que está vazio diz as palavras em cinza. Cada linha é um parágrafo. Você pode citar:",
  usualWords: "Voltar às palavras de sempre",
  asSent: "Como os estudantes recebem",
  mailKinds: {
    1: "Está disponível",
    2: "Vence em breve",
    3: "Foi retirado",
  },
  language: "Idioma de quem lê",
  tryWords: "Palavras próprias",
  tryWordsMean:
    "Para experimentar. Para enviá-las, coloque-as na opção de e-mails de um tipo ou do que um curso oferece.",
};
