import { contextNameOf, detailOf, useConfigurations } from "../offers/use-configurations.js";

export function ConfigurationName({ id }: { readonly id: number }) {
  const { all } = useConfigurations();
  const found = all?.find((each) => each.id === id);
  if (!found) return <code>#{id}</code>;
  return (
    <>
      <bdi>{found.credentialTypeName}</bdi>
      <span className="second" title={detailOf(found)}>
        <bdi>{contextNameOf(found)}</bdi>
      </span>
    </>
  );
}
