import type { SetupWording } from "../en/setup.js";

export const words: SetupWording = {
  title: "Primeros pasos",
  done: "(hecho)",
  stepCourse: "Tenga un curso: conecte la plataforma que lo imparte o créelo aquí.",
  stepDesign: "Diseñe una credencial: empiece por uno de los diseños.",
  stepOffer: "Ofrezca la credencial en el curso.",
  stepIssue: "Emita a la primera persona. Basta una lista con un nombre.",
  design: "Diseñar una credencial",
  toTypes: "Ofrecer una credencial",
  newCourse: "Crear un curso…",
  name: "Nombre",
  nameMeans: "Las credenciales lo imprimen.",
  organisation: "Organización",
  organisationMeans: "Un nombre corto, como Uni. De él puede depender quién ve el curso.",
  edition: "Edición",
  editionMeans: "Distingue cursos del mismo nombre: un año o un semestre.",
  forPrograms: "Para programas",
  code: "Código",
  codeMeans: "Vacío: se forma con el nombre. Letras, cifras y - _ ~ . :",
  key: "Clave:",
  courseMeans:
    "Para cursos de los que ninguna plataforma informa. Sus participantes vienen de una lista. Si más tarde informa una plataforma, vale lo que ella diga.",
  make: "Crear el curso",
  made: "Ya hay un curso:",
  madeMeans: "Ofrezca ahora una credencial en él. Después emita a las personas de una lista.",
  connect: "Conectar una plataforma…",
  connectMeans:
    "Quien gestiona el servicio conecta Open edX, Moodle o Canvas: la página «Connectors» de la documentación dice cómo. Estas órdenes lo comprueban y muestran qué se leería:",
  importMeans: "Los datos de cualquier otro programa se leen de un archivo:",
};
