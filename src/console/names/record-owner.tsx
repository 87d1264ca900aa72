import { useWords } from "../i18n/words.js";

/** Prefix of the owner if a connector owns the record. */
const CONNECTOR = "connector:";

export function RecordOwner({ owner }: { readonly owner: string }) {
  const { learners: words } = useWords();
  if (owner === "api") return words.recordFromApi;
  return owner.startsWith(CONNECTOR) ? words.recordFrom({ connector: owner.slice(CONNECTOR.length) }) : null;
}
