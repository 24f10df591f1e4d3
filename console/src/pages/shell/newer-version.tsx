import { useQuery } from "@tanstack/react-query";
import { CircleArrowUp } from "lucide-react";
import { installation } from "../../data/installation.ts";
import { useAllowed } from "../../data/me.ts";

/** Shows Owners and Admins that there is a newer release: `longshore upgrade` on the server installs it. */
export function NewerVersion() {
  const role = useAllowed()?.role;
  const isShown = role === "Owner" || role === "Admin";
  const newest = useQuery({ ...installation(), enabled: isShown }).data?.data.newest_version;
  if (!isShown || !newest) return null;
  return (
    <p className="flex items-center gap-2 px-2 text-text-2">
      <CircleArrowUp aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <span>Longshore {newest} is available</span>
    </p>
  );
}
