import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Button } from "./button.js";

/** A link that looks like a button. With `why`, it is disabled and shows that reason. */
export function LinkButton({
  to,
  search,
  why,
  variant = "plain",
  children,
}: {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly search?: Record<string, string>;
  readonly why?: string | undefined;
  readonly variant?: "primary" | "plain";
  readonly children: ReactNode;
}) {
  if (why !== undefined) {
    return (
      <Button variant={variant} why={why}>
        {children}
      </Button>
    );
  }
  return (
    <Link to={to} {...(search && { search })} className={`button button-${variant}`}>
      {children}
    </Link>
  );
}
