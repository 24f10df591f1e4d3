import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "../../paths.ts";

export function Component(): ReactNode {
  return (
    <main>
      <h1>There is no such page</h1>
      <p>
        The address leads nowhere, or to something that you cannot see.{" "}
        <Link to={paths.organizations()}>Start page</Link>
      </p>
    </main>
  );
}
