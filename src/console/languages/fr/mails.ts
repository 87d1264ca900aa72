import type { MailsWording } from "../en/mails.js";
import { counter } from "../plural.js";

const count = counter("fr");

export const words: MailsWording = {
  means: "Tous les courriels sur les attestations : l’une est là, expire bientôt ou a été invalidée.",
  kinds: {
    available: "Attestation disponible",
    expiry: count({ one: "Expire dans {n} jour", other: "Expire dans {n} jours" }),
    withdrawal: "Attestation invalidée",
  },
  byState: "Par état",
  state: "État",
  states: {
    waiting: "En attente",
    sent: "Envoyé",
    refused: "Refusé",
    "no-address": "Sans adresse",
    dropped: "Non envoyé",
  },
  meanings: {
    waiting: "Il est en file. Si le serveur de courriel est injoignable, il est réessayé tout seul.",
    sent: "Le serveur de courriel l’a accepté.",
    refused:
      "Le serveur de courriel l’a refusé définitivement. Corrigez l’adresse, puis renvoyez le courriel.",
    "no-address": "La personne n’avait pas d’adresse e-mail. Ajoutez-en une, puis renvoyez le courriel.",
    dropped:
      "L’attestation a été invalidée, renouvelée ou remplacée, ou son apprenant effacé, avant l’envoi.",
  },
  changed: "Dans cet état depuis",
  action: "Action",
  resent: count({ other: "Renvoyé {n} fois" }),
  ofCredential: "Au sujet de l’attestation",
  noneYet: "Pas encore de courriel",
  noneYetMeans:
    "Un courriel est mis en file dès que le document d’une attestation est fait. Vous voyez ici s’il est arrivé au serveur de courriel, et le renvoyez à qui l’a perdu.",
  noneInState: "Aucun courriel n’est dans cet état",
  showAll: "Montrer tous les courriels",
  resendTitle: "Renvoyer le courriel",
  resendMeans: "Renvoie le courriel sur cette attestation, au plus cinq fois par jour.",
  to: "À",
  noAddress: "La personne n’a pas d’adresse e-mail. Ajoutez-la ici ou sur la plateforme.",
  noRecord: "Il n’y a plus de dossier de cet apprenant, donc pas d’adresse.",
  soFar: "Jusqu’ici",
  answered: "Réponse du serveur de courriel",
  refusals: {
    noMailbox: "Boîte aux lettres inexistante",
    noDomain: "Le domaine ne reçoit pas de courriel",
    disabled: "La boîte aux lettres est désactivée",
    full: "La boîte aux lettres est pleine",
    tooLarge: "Le courriel est trop volumineux",
  },
  neverSent: "Aucun courriel n’a encore été mis en file à son sujet.",
  isWaiting: "Il est déjà en route.",
  withdrawalEmail: count({
    one: "La personne reçoit un courriel qui indique le motif, si son adresse est connue.",
    other: "Chaque personne reçoit un courriel qui indique le motif, si son adresse est connue.",
  }),
  reissueEmail: count({
    one: "La personne reçoit un courriel sur la nouvelle attestation, si son adresse est connue.",
    other: "Chaque personne reçoit un courriel sur sa nouvelle attestation, si son adresse est connue.",
  }),
  andMore: count({ one: "et {n} autre", other: "et {n} autres" }),
  sendAgain: "Renvoyer",
};
