import { useChapter } from "../i18n/words.js";

export function PersonCell({
  of: { username, fullName },
  isOwn,
}: {
  readonly of: { readonly username: string; readonly fullName: string };
  readonly isOwn: boolean;
}) {
  const { access: words } = useChapter("administration");
  return (
    <th scope="row" className="main-cell">
      <bdi>{fullName || username}</bdi>
      {fullName !== "" && (
        <span className="second">
          <bdi>{username}</bdi>
        </span>
      )}
      {isOwn && <span className="second">{words.own}</span>}
    </th>
  );
}
