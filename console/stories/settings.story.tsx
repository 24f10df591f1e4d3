import type { ReactNode } from "react";
import type { Account, OrphanedResourceList, ServerCosts } from "../../contract/types.ts";
import type { Channel, Delivery } from "../src/data/channels.ts";
import { me } from "../src/data/me.ts";
import type { Order } from "../src/data/orders.ts";
import type { Snapshot } from "../src/data/snapshots.ts";
import type { SshAccess, SshKey } from "../src/data/ssh-keys.ts";
import { AccessTable } from "../src/pages/server/settings/ssh-access/access-table.tsx";
import { DeliveryList } from "../src/pages/settings/channel/delivery-list.tsx";
import { ChannelList } from "../src/pages/settings/channels/page.tsx";
import { OrderList } from "../src/pages/settings/providers/order-list.tsx";
import { OrphanReport } from "../src/pages/settings/providers/orphan-report.tsx";
import { CostStrip } from "../src/pages/settings/providers/page.tsx";
import { KeyTable } from "../src/pages/settings/ssh-keys/key-table.tsx";
import { SnapshotTable } from "../src/parts/snapshots/snapshot-table.tsx";
import { InOrganization } from "./in-organization.tsx";

const at = "2026-09-20T10:42:05.000000Z";

const account = {
  id: 1,
  name: "Alice",
  organization: {
    ...{ id: 1, name: "Acme", role: "Owner", restriction: null },
    ...{ permissions: ["organization:read", "organization:manage", "server:create", "server:delete"] },
    limits: { servers: null, monitors_of_type: null, monitor_interval_seconds: 30 },
  },
} as unknown as Account;

const Owned = ({ children }: { children: ReactNode }) => (
  <InOrganization known={[[me(1).queryKey, { status: "success", data: account }]]}>{children}</InOrganization>
);

const channel: Channel = {
  ...{ id: 1, name: "Operations", type: "slack", target: "https://hooks.slack.com/…" },
  ...{ on: ["deployment.failed", "monitor.down", "server.unreachable"], project_ids: null, is_active: true },
  ...{ last_delivery: { status: "delivered", error: null, at }, created_at: at, updated_at: at },
};

const channels: Channel[] = [
  channel,
  {
    ...channel,
    ...{ id: 2, name: "غرفة العمليات", type: "webhook", target: "https://hooks.example.com/…", project_ids: [1, 2] },
    last_delivery: { status: "failed", error: "https://hooks.example.com/… answered 410: gone", at },
  },
  {
    ...channel,
    ...{ id: 3, name: "On call", type: "telegram", target: "-1001234567890/7", project_ids: [] },
    last_delivery: { status: "queued", error: "api.telegram.org did not answer within 10 seconds.", at },
  },
  { ...channel, id: 4, name: "Old", type: "discord", is_active: false, last_delivery: null },
];

const delivery: Delivery = {
  ...{ id: 1, topic: "deployment.failed", title: "Deployment of shop failed", status: "delivered", attempts: 1 },
  ...{ answer: "200 ok", error: null, next_attempt_at: null, created_at: at, ended_at: at },
};

const deliveries: Delivery[] = [
  { ...delivery, id: 3, topic: "test", title: "Test of the notification channel Operations", answer: "204" },
  {
    ...{ ...delivery, id: 2, status: "queued", attempts: 4, answer: null, ended_at: null, next_attempt_at: at },
    error: "https://hooks.example.com/… answered 500: upstream connect error or disconnect before headers",
  },
  { ...delivery, id: 1, status: "failed", attempts: 9, answer: null, error: "no_service" },
];

const order: Order = {
  ...{ id: 1, server_id: 1, server_name: "web-1", provider_id: 1, provider_type: "cloud_a", location: "fsn1" },
  ...{ server_type: "cx23", state: "active", error: null, public_ip: "203.0.113.7", price_problem: null },
  ...{ monthly_price_net: "4.51", monthly_price_gross: "5.37", currency: "EUR", resources: [], remaining: [] },
  ...{ created_at: at, active_at: at, ended_at: null },
};

const orders: Order[] = [
  { ...order, state: "ordering", server_name: "خادم الإنتاج" },
  order,
  { ...order, id: 3, state: "failed", error: "fsn1 has no capacity for cx23 now. Choose another type or place." },
  {
    ...{ ...order, id: 4, server_id: null, state: "left", server_name: "shop-production-of-the-marketing-department" },
    remaining: [{ kind: "volume", id: "vol-0d3c", location: "eu-central-1", reason: "It is attached to i-09af." }],
  },
  {
    ...{ ...order, id: 5, state: "released", monthly_price_net: null, monthly_price_gross: null, currency: null },
    price_problem: "The catalogue has no price of io2.",
  },
];

const orphans: Pick<OrphanedResourceList, "data" | "checked_at" | "error"> = {
  data: [
    {
      ...{ kind: "server", id: "77", location: "fsn1", name: "longshore-77", created_at: at, seen_at: at },
      ...{ monthly_price_net: "4.51", monthly_price_gross: "5.37", currency: "EUR" },
    },
    {
      ...{ kind: "address", id: "78", location: "fsn1", name: null, created_at: null, seen_at: at },
      ...{ monthly_price_net: null, monthly_price_gross: null, currency: null },
    },
  ],
  checked_at: at,
  error: "The list of volumes could not be read: 403.",
};

const costs: ServerCosts = {
  totals: [
    { currency: "EUR", servers_count: 12, monthly_price_net: "54.12", monthly_price_gross: "64.40" },
    { currency: "USD", servers_count: 1, monthly_price_net: "12.00", monthly_price_gross: "12.00" },
  ],
  unpriced_servers_count: 1,
  servers: [
    {
      ...{ id: 5, name: "db-1", provider_type: "cloud_b", monthly_price_net: null, monthly_price_gross: null },
      ...{ currency: null, price_problem: "The catalogue has no price of io2." },
    },
  ],
};

const snapshot: Snapshot = {
  ...{ id: 1, name: "golden", server_id: 1, provider_id: 1, location: "fsn1", server_os: "ubuntu_24_04" },
  ...{ state: "ready", error: null, created_at: at, ready_at: at },
};

const key: SshKey = {
  ...{ id: 1, name: "Laptop", owner: "user", user_id: 1, organization_id: null, created_at: at },
  ...{ public_key: "ssh-ed25519 AAAA", fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGLSuasMWEAjzeVq5aQ" },
};

const access: SshAccess = {
  ...{ id: 1, server_id: 1, ssh_key_id: 1, account: "root", name: "Laptop", fingerprint: key.fingerprint },
  ...{ is_removed: false, granted_by: 1, created_at: at },
  sync: { state: "applied", since: at, error: null, retry_at: null },
};

export const states = {
  channels: () => (
    <Owned>
      <ChannelList channels={channels} />
    </Owned>
  ),
  "no channels": () => <ChannelList channels={[]} />,
  deliveries: () => <DeliveryList deliveries={deliveries} />,
  "no deliveries": () => <DeliveryList deliveries={[]} />,
  orders: () => (
    <Owned>
      <OrderList orders={orders} />
    </Owned>
  ),
  "no orders": () => <OrderList orders={[]} />,
  "what is left over in an account": () => <OrphanReport report={orphans} />,
  "nothing is left over": () => <OrphanReport report={{ data: [], checked_at: at, error: null }} />,
  costs: () => <CostStrip costs={costs} />,
  snapshots: () => (
    <Owned>
      <SnapshotTable
        snapshots={[
          { ...snapshot, id: 2, state: "creating", name: "before the upgrade" },
          snapshot,
          { ...snapshot, id: 3, state: "left", error: "The provider answered 409: the image is in use." },
        ]}
      />
    </Owned>
  ),
  "SSH keys": () => (
    <Owned>
      <KeyTable label="Your SSH keys" keys={[key, { ...key, id: 2, name: "مفتاح" }]} empty="" mayDelete />
    </Owned>
  ),
  "SSH access": () => (
    <Owned>
      <AccessTable
        access={[
          access,
          { ...access, id: 2, name: "Bob's laptop", sync: { ...access.sync, state: "failing", error: "It broke." } },
          { ...access, id: 3, name: "Old key", ssh_key_id: null, is_removed: true },
        ]}
        names={{ ownerOf: ({ id }) => (id === 1 ? "Alice" : undefined), memberOf: () => "Alice" }}
        serverId={1}
        mayUpdate
      />
    </Owned>
  ),
};
