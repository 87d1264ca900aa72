import { useChapter } from "../i18n/chapter.js";

/** The first cell of a row about a person: full name if known, and username. */
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
