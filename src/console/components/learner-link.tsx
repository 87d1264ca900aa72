import { Link } from "@tanstack/react-router";

/** Shows the full name above the username. If the full name is unknown, shows only the username. */
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
