import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CloudOptions, CloudServerType } from "../../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../../api/errors.ts";
import type { Order } from "../../../../data/orders.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { providerOptions, type WholeServer } from "../../../../data/servers.ts";
import { useWrite } from "../../../../data/write.ts";
import { Loaded } from "../../../../parts/loaded.tsx";
import { TypeChoice } from "../../../../parts/machine-types/type-choice.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../../ui/form.tsx";
import { formatCount } from "../../../../ui/format.ts";
import { showToast } from "../../../../ui/toast.tsx";

interface Props {
  server: WholeServer;
  order: Order;
  onClose: () => void;
}

export function ResizeDialog({ server, order, onClose }: Props) {
  const query = useQuery(providerOptions(useOrganization(), order.provider_id ?? Number.NaN, order.location));
  return (
    <Dialog isOpen onClose={onClose} title={`Resize ${server.name}`} wide>
      <Loaded query={query} what="What the provider sells could not be read." rows={6}>
        {({ data }) => <ResizeForm server={server} order={order} options={data} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function ResizeForm({ server, order, options, onClose }: Props & { options: CloudOptions }) {
  const [type, setType] = useState<string>();
  const types = options.server_types ?? [];
  const resize = useWrite("POST /api/v1/servers/{id}/resize", {
    touches: ["server", "servers", "orders"],
    onDone: ({ message }) => {
      showToast({ text: message });
      onClose();
    },
  });
  const send = () => type !== undefined && resize.mutate({ params: { id: server.id }, body: { server_type: type } });
  return (
    <Form onSubmit={send} errors={fieldsOf(resize.error)}>
      <TypeChoice
        name="server_type"
        types={types}
        omitted={options.omitted_types ?? []}
        chosen={type}
        onChange={setType}
        refuse={refusalAt(order.server_type, types)}
      />
      <p className="max-w-[72ch] text-text-2">
        The machine is shut down, changed and started. {servedMeanwhile(server)} The disk keeps its size, so that the
        server can return to a smaller type. If the provider has no capacity, it gets its present type back.
      </p>
      <FormActions refusal={sentenceOf(resize.error)}>
        <Button
          type="submit"
          kind="danger"
          isPending={resize.isPending}
          disabledReason={type === undefined ? "Choose a type first." : undefined}
        >
          Resize server
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

function servedMeanwhile({ projects_count: count }: WholeServer): string {
  if (count === 0) return "Nothing on it is reachable for that time.";
  return `Its ${formatCount(count, "project is", "projects are")} not served for that time.`;
}

/** Why the machine cannot become a type. The size of its disk only the provider knows: the API says it at the field. */
const refusalAt =
  (present: string, types: readonly CloudServerType[]) =>
  ({ name, architecture }: CloudServerType): string | undefined => {
    if (name === present) return "The server has this type.";
    const now = types.find((type) => type.name === present);
    return now && now.architecture !== architecture ? "It has another architecture." : undefined;
  };
