import { Link } from "@tanstack/react-router";

/** Leads to a learner, with the username beneath the name; alone where there is no name. */
export function LearnerLink({
  username,
  fullName,
}: {
  readonly username: string;
  readonly fullName: string;
}) {
  const name = fullName.trim();
  return (
    <>
      <Link to="/learners/$username" params={{ username }} className="row-link">
        <bdi>{name || username}</bdi>
      </Link>
      {name !== "" && (
        <span className="second">
          <bdi>{username}</bdi>
        </span>
      )}
    </>
  );
}
