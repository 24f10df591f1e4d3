import { useMutation } from "@tanstack/react-query";
import type { Arguments } from "../../../../contract/client.ts";
import { request } from "../../api/client.ts";
import { messageOf } from "../../api/errors.ts";
import { invalidate } from "../../data/cache.ts";
import { mendOf } from "../../data/mends.ts";
import { useOrganization } from "../../data/organization.ts";
import type { AttentionItem } from "../../data/overview.ts";
import { announce } from "../../parts/announce.tsx";
import { recordPath } from "../../parts/record-path.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/link.tsx";

/** The one thing to do about an item; nothing where the API has nothing. */
export function MendButton({ item }: { item: AttentionItem }) {
  const { operation, label, subject, server_id, project_id } = item;
  const href = recordPath(useOrganization(), { ...subject, server_id, project_id });
  if (operation === null || label === null) return null;
  if (mendOf(item)) return <Press item={item} label={label} />;
  return href ? (
    <ButtonLink compact href={href}>
      {label}
    </ButtonLink>
  ) : null;
}

function Press({ item, label }: { item: AttentionItem; label: string }) {
  const o = useOrganization();
  const press = useMutation({
    mutationFn: () => mend(o, item),
    onSuccess: async () => {
      announce(`${label}: ${item.subject.name}`);
      await invalidate([o, "attention"], [o, "overview"], [o, "deployments"]);
    },
  });
  return (
    <div className="flex max-w-64 flex-col items-end gap-1">
      <Button
        compact
        aria-label={`${label}, ${item.subject.name}`}
        isPending={press.isPending}
        onPress={() => press.mutate()}
      >
        {label}
      </Button>
      {press.error && (
        <p role="alert" className="text-bad text-meta">
          {messageOf(press.error)}
        </p>
      )}
    </div>
  );
}

function mend(organization: number, item: AttentionItem): Promise<unknown> {
  const name = mendOf(item);
  if (!name) throw new TypeError(`${item.operation} needs more than a press.`);
  return request(name, ...([{ params: item.params, organization }] as unknown as Arguments<typeof name>));
}
