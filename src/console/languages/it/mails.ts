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
      "Il server di posta l’ha rifiutata definitivamente. Corregga l’indirizzo sulla piattaforma, poi invii di nuovo l’e-mail.",
    "no-address":
      "La scheda dello studente non aveva un indirizzo. Quando la piattaforma ne comunica uno, invii di nuovo l’e-mail.",
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
  resendMeans:
    "Lo studente riceve ancora una volta l’e-mail su questo attestato, all’indirizzo che la piattaforma comunica oggi. È possibile cinque volte al giorno.",
  to: "A",
  noAddress:
    "La scheda dello studente non ha un indirizzo e-mail. Lo aggiunga sulla piattaforma; quando è arrivato qui, invii l’e-mail.",
  noRecord: "Di questo studente non c’è più una scheda, e quindi nessun indirizzo.",
  soFar: "Finora",
  neverSent: "Non è stata ancora messa in coda alcuna e-mail al riguardo.",
  isWaiting: "È già in arrivo.",
  sendAgain: "Invia di nuovo",
};
