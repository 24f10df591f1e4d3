import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../../../data/me.ts";
import { type Order, orderOfServer } from "../../../../data/orders.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { providers, type WholeServer } from "../../../../data/servers.ts";
import { Loaded } from "../../../../parts/loaded.tsx";
import { MonthlyPrice } from "../../../../parts/monthly-price.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Properties } from "../../../../ui/properties.tsx";
import { Section } from "../../../../ui/section.tsx";
import { Time } from "../../../../ui/time.tsx";
import { useServerRefusals } from "../../use-server.ts";
import { ResizeDialog } from "./resize-dialog.tsx";

/** What was ordered for the server, what it costs, and another type of machine. */
export function MachineSection({ server }: { server: WholeServer }) {
  const query = useQuery(orderOfServer(useOrganization(), server.id));
  return (
    <Section
      title="Machine"
      description="As it was ordered, at the prices of the provider's catalogue."
      actions={query.data && <Resize server={server} order={query.data} />}
    >
      <Loaded query={query} what="The order could not be read." rows={4}>
        {(order) => <Facts server={server} order={order} />}
      </Loaded>
    </Section>
  );
}

function Facts({ server, order }: { server: WholeServer; order: Order | null }) {
  const accounts = useQuery({ ...providers(useOrganization()), enabled: useMay("server:create") }).data?.data;
  const account = accounts?.find(({ id }) => id === server.provider_id);
  const { monthly_price_gross: gross, monthly_price_net: net, price_currency: currency } = server;
  return (
    <>
      <Properties
        items={[
          {
            label: "Account",
            value: account && (
              <>
                {account.label}, <bdi>{account.name}</bdi>
              </>
            ),
          },
          { label: "Type", value: order?.server_type },
          { label: "Place", value: order?.location },
          { label: "Cost a month", value: <MonthlyPrice gross={gross} net={net} currency={currency} /> },
          { label: "Ordered", value: order && <Time at={order.created_at} /> },
        ]}
      />
      {order?.price_problem && <p className="text-text-2">{order.price_problem}</p>}
    </>
  );
}

/** It changes the price: the permission is that of an order. */
function Resize({ server, order }: { server: WholeServer; order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useServerRefusals(server);
  if (!useMay("server:create")) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)} disabledReason={refusal("resize")}>
        Resize server
      </Button>
      {isOpen && <ResizeDialog server={server} order={order} onClose={() => setOpen(false)} />}
    </>
  );
}
