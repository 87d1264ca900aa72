import type { MailsWording } from "../en/mails.js";
import { counter } from "../plural.js";

const count = counter("es");

export const words: MailsWording = {
  means: "Todos los correos sobre credenciales: que una está lista, caduca pronto o se anuló.",
  kinds: {
    available: "Credencial lista",
    expiry: count({ one: "Caduca en un día", other: "Caduca en {n} días" }),
    withdrawal: "Credencial anulada",
  },
  byState: "Por estado",
  state: "Estado",
  states: {
    waiting: "En espera",
    sent: "Enviado",
    refused: "Rechazado",
    "no-address": "Sin dirección",
    dropped: "No enviado",
  },
  meanings: {
    waiting: "Está en cola. Si el servidor de correo no responde, se reintenta solo.",
    sent: "El servidor de correo lo ha aceptado.",
    refused:
      "El servidor de correo lo ha rechazado definitivamente. Corrija la dirección y reenvíe el correo.",
    "no-address": "El estudiante no tenía dirección de correo. Añada una y reenvíe el correo.",
    dropped: "La credencial se anuló, renovó o sustituyó, o su estudiante se borró, antes de enviarlo.",
  },
  changed: "En este estado desde",
  action: "Acción",
  resent: count({ one: "Reenviado una vez", other: "Reenviado {n} veces" }),
  ofCredential: "Sobre la credencial",
  noneYet: "Aún no hay correos",
  noneYetMeans:
    "Un correo se pone en cola en cuanto se crea el documento de una credencial. Aquí verá si llegó al servidor de correo y podrá reenviarlo a quien lo haya perdido.",
  noneInState: "Ningún correo está en este estado",
  showAll: "Mostrar todos los correos",
  resendTitle: "Reenviar el correo",
  resendMeans: "Vuelve a enviar el correo sobre esta credencial, como máximo cinco veces al día.",
  to: "Para",
  noAddress: "El estudiante no tiene dirección de correo. Añádala aquí o en la plataforma.",
  noRecord: "Ya no hay registro de este estudiante y, por tanto, tampoco dirección.",
  soFar: "Hasta ahora",
  answered: "Respuesta del servidor de correo",
  refusals: {
    noMailbox: "El buzón no existe",
    noDomain: "El dominio no recibe correo",
    disabled: "El buzón está desactivado",
    full: "El buzón está lleno",
    tooLarge: "El correo es demasiado grande",
  },
  neverSent: "Todavía no se ha puesto en cola ningún correo sobre ella.",
  isWaiting: "Ya está en camino.",
  withdrawalEmail: count({
    one: "El estudiante recibe un correo con el motivo, si se conoce su dirección.",
    other: "Los estudiantes reciben un correo con el motivo, si se conoce su dirección.",
  }),
  reissueEmail: count({
    one: "El estudiante recibe un correo sobre la nueva credencial, si se conoce su dirección.",
    other: "Los estudiantes reciben un correo sobre las nuevas credenciales, si se conoce su dirección.",
  }),
  andMore: count({ one: "y {n} más", other: "y {n} más" }),
  sendAgain: "Reenviar",
};
