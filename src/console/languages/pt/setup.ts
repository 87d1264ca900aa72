import type { SetupWording } from "../en/setup.js";

export const words: SetupWording = {
  title: "Primeiros passos",
  done: "(feito)",
  stepCourse: "Tenha um curso: conecte a plataforma que o oferece ou crie um aqui.",
  stepDesign: "Desenhe um certificado: comece por um dos modelos.",
  stepOffer: "Ofereça o certificado no curso.",
  stepIssue: "Emita para a primeira pessoa. Basta uma lista com um nome.",
  design: "Desenhar um certificado",
  toTypes: "Oferecer um certificado",
  newCourse: "Criar um curso…",
  name: "Nome",
  nameMeans: "Os certificados o imprimem.",
  organisation: "Organização",
  organisationMeans: "Um nome curto, como Uni. Quem vê o curso pode depender dele.",
  edition: "Edição",
  editionMeans: "Distingue cursos do mesmo nome: um ano ou um semestre.",
  forPrograms: "Para programas",
  code: "Código",
  codeMeans: "Vazio: formado do nome. Letras, algarismos e - _ ~ . :",
  key: "Chave:",
  courseMeans:
    "Para cursos de que nenhuma plataforma informa. As pessoas vêm de uma lista. Se depois uma plataforma informar, vale o que ela diz.",
  make: "Criar o curso",
  made: "Agora há um curso:",
  madeMeans: "Em seguida, ofereça um certificado nele. Depois emita para as pessoas de uma lista.",
  connect: "Conectar uma plataforma…",
  connectMeans:
    "Quem opera o serviço conecta Open edX, Moodle ou Canvas: a página “Connectors” da documentação diz como. Estes comandos verificam isso e mostram o que seria lido:",
  importMeans: "Os dados de qualquer outro programa são lidos de um arquivo:",
};
