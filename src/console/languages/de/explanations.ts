import type { ExplanationsWording } from "../en/explanations.js";

export const words: ExplanationsWording = {
  reasons: {
    ROLE_MISSING: "Dafür braucht es die Rolle {role}. Wer den Dienst betreibt, kann sie Ihnen geben.",
    ACCOUNT_NOT_ACTIVE: "Die Plattform hat Ihr Konto geschlossen. Bitten Sie dort darum, es zu öffnen.",
    CREDENTIAL_NOT_FOUND: "Diesen Nachweis gibt es nicht, oder Sie dürfen ihn nicht sehen.",
    LEARNER_NOT_FOUND: "Es gibt keinen Datensatz dieser Person.",
    LEARNING_CONTEXT_NOT_FOUND: "Diesen Kurs oder Lernpfad gibt es nicht, oder Sie dürfen ihn nicht sehen.",
    CONFIGURATION_NOT_FOUND: "Diese Konfiguration gibt es nicht.",
    CREDENTIAL_TYPE_NOT_FOUND: "Diese Art von Nachweis gibt es nicht.",
    ASSET_NOT_FOUND: "Diese Datei zur Gestaltung gibt es nicht.",
    RUN_NOT_FOUND: "Diesen Lauf gibt es nicht.",
    WEBHOOK_ENDPOINT_NOT_FOUND: "Diesen Webhook-Endpunkt gibt es nicht.",
    NOT_ELIGIBLE: "{username} hat ihn noch nicht erworben.",
    NOT_EARNED_ANEW:
      "{username} hat seit der Ausstellung des Nachweises keine neuen Ergebnisse, die eine Erneuerung verlangt.",
    NO_FULL_NAME:
      "Der Datensatz von {username} hat keinen Namen, der gedruckt werden könnte. Ergänzen Sie ihn auf der Plattform.",
    NO_CONTEXT_RECORD: "Die Plattform hat den Kurs oder Lernpfad {learning_context_key} nicht gemeldet.",
    NOT_PRINTABLE:
      "Das Dokument kann nicht entstehen: Ein Zeichen fehlt in allen Schriften, oder ein Text passt nicht.",
    WRONG_STATUS: "Der Status des Nachweises lässt das nicht zu: {status}.",
    INVALIDATED_BEFORE: "Er wurde schon widerrufen, aus einem anderen Grund: {invalidation_reason}",
    RENEWED: "Ein anderer Nachweis hat ihn erneuert.",
    EXPIRED: "Er ist abgelaufen.",
    LEARNER_ERASED: "Die Person wurde gelöscht.",
    IN_USE: "Etwas anderes braucht es noch.",
    NO_ADDRESS: "Der Datensatz von {username} hat keine E-Mail-Adresse. Ergänzen Sie sie auf der Plattform.",
    PLAN_CHANGED:
      "Es würde nicht geschehen, was Sie gesehen haben: Etwas hat sich geändert. Sehen Sie es noch einmal an.",
    ETAG_MISMATCH:
      "Jemand hat es geändert, seit Sie es geöffnet haben. Öffnen Sie es neu, und ändern Sie es dann.",
    OVERLOADED: "Vom Dienst wird gerade zu viel auf einmal verlangt. Versuchen Sie es gleich noch einmal.",
    DATABASE_UNAVAILABLE: "Die Datenbank kann das gerade nicht. Versuchen Sie es gleich noch einmal.",
    STORE_UNAVAILABLE: "Der Dateispeicher ist nicht erreichbar. Versuchen Sie es gleich noch einmal.",
    MAIL_UNAVAILABLE: "Der Mailserver ist nicht erreichbar. Versuchen Sie es gleich noch einmal.",
    DEADLINE_EXCEEDED: "Es hat zu lange gedauert. Verlangen Sie weniger, oder versuchen Sie es noch einmal.",
  },
  fields: {
    username: "der Benutzername",
    usernames: "die Liste der Benutzernamen",
    reason: "der Grund",
    query: "die Suche",
    learning_context_key: "der Schlüssel des Kurses oder Lernpfads",
    configuration_id: "die Konfiguration",
    uuid: "die UUID des Nachweises",
    uuids: "die Liste der UUIDs",
    credential_uuid: "die UUID des Nachweises",
    replacement_uuid: "die UUID des Ersatzes",
    issuance_run_id: "der Lauf",
    created_from: "der erste Tag",
    page_token: "die Seite der Liste; öffnen Sie die Liste neu",
    plan_hash: "der Plan",
    full_name: "der vollständige Name",
    email: "die E-Mail-Adresse",
  },
  wrongField: "Das ist ungültig: {field}.",
};
