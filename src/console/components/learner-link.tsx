import { Link } from "@tanstack/react-router";

/** Link to a learner: the full name with the username below it, or only the username. */
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
