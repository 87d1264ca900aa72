import { contextOf, detailOf, useConfigurations } from "../offers/use-configurations.js";

/** Shows a configuration's credential type and context. */
export function ConfigurationName({ id }: { readonly id: number }) {
  const { all } = useConfigurations();
  const known = all?.find((each) => each.id === id);
  if (!known) return <code>#{id}</code>;
  return (
    <>
      <bdi>{known.credentialTypeName}</bdi>
      <span className="second" title={detailOf(known)}>
        <bdi>{contextOf(known)}</bdi>
      </span>
    </>
  );
}
