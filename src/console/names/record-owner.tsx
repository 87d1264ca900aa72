import { useWords } from "../i18n/words.js";

/** Before the id of a connector that owns a record. */
const CONNECTOR = "connector:";

/** Says where a learner's record comes from. */
export function RecordOwner({ owner }: { readonly owner: string }) {
  const { learners: words } = useWords();
  if (owner === "api") return words.recordFromApi;
  return owner.startsWith(CONNECTOR) ? words.recordFrom({ connector: owner.slice(CONNECTOR.length) }) : null;
}
