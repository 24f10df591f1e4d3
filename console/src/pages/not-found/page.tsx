import { BarePage } from "../root/bare-page.tsx";
import { NotFound } from "./not-found.tsx";

export function Component() {
  return (
    <BarePage>
      <NotFound />
    </BarePage>
  );
}
