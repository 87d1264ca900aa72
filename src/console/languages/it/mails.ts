import type { MailsWording } from "../en/mails.js";
import { counter } from "../plural.js";

const count = counter("it");

export const words: MailsWording = {
  means: "Tutte le e-mail sugli attestati: che uno è disponibile, scade presto o è stato ritirato.",
  kinds: {
    available: "Attestato disponibile",
    expiry: count({ one: "Scade tra un giorno", other: "Scade tra {n} giorni" }),
    withdrawal: "Attestato ritirato",
  },
  byState: "Per stato",
  state: "Stato",
  states: {
    waiting: "In attesa",
    sent: "Inviata",
    refused: "Rifiutata",
    "no-address": "Senza indirizzo",
    dropped: "Non inviata",
  },
  meanings: {
    waiting: "È in coda. Se il server di posta non è raggiungibile, si ritenta da sé.",
    sent: "Il server di posta l’ha accettata.",
    refused:
      "Il server di posta l’ha rifiutata definitivamente. Corregga l’indirizzo, poi invii di nuovo l’e-mail.",
    "no-address": "Lo studente non aveva un indirizzo e-mail. Ne aggiunga uno, poi invii di nuovo l’e-mail.",
    dropped:
      "L’attestato è stato ritirato, rinnovato o sostituito, o il suo studente cancellato, prima dell’invio.",
  },
  changed: "In questo stato dal",
  action: "Azione",
  resent: count({ one: "Inviata di nuovo una volta", other: "Inviata di nuovo {n} volte" }),
  ofCredential: "Sull’attestato",
  noneYet: "Ancora nessuna e-mail",
  noneYetMeans:
    "Un’e-mail è messa in coda appena il documento di un attestato è creato. Qui si vede se è arrivata al server di posta, e la si invia di nuovo a chi l’ha persa.",
  noneInState: "Nessuna e-mail è in questo stato",
  showAll: "Mostra tutte le e-mail",
  resendTitle: "Invia di nuovo l’e-mail",
  resendMeans: "Invia di nuovo l’e-mail su questo attestato, al massimo cinque volte al giorno.",
  to: "A",
  noAddress: "Lo studente non ha un indirizzo e-mail. Lo aggiunga qui o sulla piattaforma.",
  noRecord: "Di questo studente non c’è più una scheda, e quindi nessun indirizzo.",
  soFar: "Finora",
  answered: "Risposta del server di posta",
  refusals: {
    noMailbox: "La casella non esiste",
    noDomain: "Il dominio non riceve posta",
    disabled: "La casella è disattivata",
    full: "La casella è piena",
    tooLarge: "L’e-mail è troppo grande",
  },
  neverSent: "Non è stata ancora messa in coda alcuna e-mail al riguardo.",
  isWaiting: "È già in arrivo.",
  withdrawalEmail: count({
    one: "Lo studente riceve un’e-mail con il motivo, se l’indirizzo è noto.",
    other: "Gli studenti ricevono un’e-mail con il motivo, se l’indirizzo è noto.",
  }),
  reissueEmail: count({
    one: "Lo studente riceve un’e-mail sul nuovo attestato, se l’indirizzo è noto.",
    other: "Gli studenti ricevono un’e-mail sui nuovi attestati, se l’indirizzo è noto.",
  }),
  andMore: count({ one: "e {n} altro", other: "e altri {n}" }),
  sendAgain: "Invia di nuovo",
};
