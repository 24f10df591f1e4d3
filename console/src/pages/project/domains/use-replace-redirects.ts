import type { Redirect, RedirectOrder, Redirects } from "../../../../../contract/types.ts";
import { isStatus, sentenceOf } from "../../../api/errors.ts";
import { invalidate } from "../../../data/cache.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { showToast } from "../../../ui/toast.tsx";

/** Replaces the redirects of a project, unless they are others than those that were `seen`. */
export function useReplaceRedirects(id: number) {
  const organization = useOrganization();
  const write = useWrite("PUT /api/v1/projects/{id}/redirects", {
    touches: ["project"],
    onDone: ({ message }) => showToast({ text: message, tone: "ok" }),
  });
  const replace = async (seen: Redirects, redirects: readonly RedirectOrder[]): Promise<boolean> => {
    try {
      await write.mutateAsync({ params: { id }, body: { redirects, expected_updated_at: seen.updated_at } });
      return true;
    } catch (error) {
      if (isStatus(error, 409)) await invalidate([organization, "project", id]);
      return false;
    }
  };
  const refusal = isStatus(write.error, 409)
    ? "Not saved: the project was changed elsewhere. Try again."
    : sentenceOf(write.error);
  return { replace, refusal, error: write.error, isPending: write.isPending };
}

export const without = (redirects: readonly Redirect[], at: number): Redirect[] => redirects.toSpliced(at, 1);

export const moved = (redirects: readonly Redirect[], from: number, to: number): Redirect[] =>
  redirects.toSpliced(from, 1).toSpliced(to, 0, ...redirects.slice(from, from + 1));
