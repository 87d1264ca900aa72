import { useConfigurations } from "../offers/use-configurations.js";
import { useCredentialTypes } from "../service/all-pages.js";

/** Returns whether any credential requires another one. */
export function useHasStacks(): boolean {
  const types = useCredentialTypes() ?? [];
  const { all = [] } = useConfigurations();
  const options = [...types, ...all].map(({ customOptions }) => customOptions);
  return JSON.stringify(options).includes('"holds":');
}
