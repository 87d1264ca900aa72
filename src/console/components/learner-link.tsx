import { Link } from "@tanstack/react-router";

/** Links to a learner. Shows the full name above the username, or only the username. */
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
