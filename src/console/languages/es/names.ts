import type { NamesWording } from "../en/names.js";
import { counter } from "../plural.js";

const count = counter("es");

export const words: NamesWording = {
  correct: "Corregir el nombre…",
  correctEmail: "Corregir la dirección…",
  issueOne: "Emitir una credencial…",
  willPrint: "Puede emitirse e imprime el nombre {name}.",
  printed: "Nombre que se imprime",
  printedMeans: "Lo llevan las credenciales que se emitan a partir de ahora.",
  emailMeans: "A partir de ahora, los correos a esta persona se envían a esta dirección.",
  told: "El registro dice {name}.",
  reasonMeans: "Para el resto del personal. No es público.",
  stays:
    "La corrección se mantiene cuando la plataforma vuelve a enviar el mismo nombre. Si envía otro, se le preguntará cuál es el correcto.",
  emailStays:
    "La corrección se mantiene cuando la plataforma vuelve a enviar la misma dirección. Si envía otra, se le preguntará cuál es la correcta.",
  noRecordedEmail: "El registro no tiene dirección de correo.",
  save: "Corregir",
  correctedBy: "Corregido por {by} el {date}: {reason}",
  undecided: "El registro dice ahora {told}, que es nuevo. {name} sigue contando hasta que alguien decida.",
  keep: "Conservar {name}",
  take: "Tomar {told}",
  withdraw: "Retirar la corrección",
  bounded:
    "Los nombres y las direcciones son comunes a todas las organizaciones: solo puede cambiarlos quien tiene acceso a todas.",
  onReissue: "Nombre en la nueva credencial",
  onReissueMeans: "Si está mal, corríjalo aquí: el nombre de la persona se corrige por el mismo motivo.",
  others: count({
    one: "{n} credencial válida lleva otro nombre.",
    other: "{n} credenciales válidas llevan otro nombre.",
  }),
  toDecide: count({
    one: "Hay que decidir sobre {n} nombre corregido: la plataforma ha cambiado el suyo.",
    other: "Hay que decidir sobre {n} nombres corregidos: la plataforma ha cambiado los suyos.",
  }),
  emailsToDecide: count({
    one: "Hay que decidir sobre {n} dirección de correo corregida: la plataforma ha cambiado la suya.",
    other: "Hay que decidir sobre {n} direcciones de correo corregidas: la plataforma ha cambiado las suyas.",
  }),
  learnerRecordMeans:
    "Sus insignias, en un archivo firmado que es válido 90 días. El PDF las enumera para leerlas y contiene ese archivo.",
  downloadRecord: "Descargar el expediente",
  downloadRecordPdf: "Descargar en PDF",
  recordIsPartial:
    "No contiene todas las credenciales válidas: algunas no tienen insignia, o son demasiadas.",
};
