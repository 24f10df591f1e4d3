import type { StatusPage } from "../../../../contract/types.ts";
import { Copied } from "../../ui/copied.tsx";
import { Properties } from "../../ui/properties.tsx";
import { Section } from "../../ui/section.tsx";

/** Where visitors, feed readers and other sites find it. */
export function AddressesSection({ page: { url } }: { page: Pick<StatusPage, "url"> }) {
  const base = url.replace(/\/$/, "");
  const addresses = [
    { label: "Page", address: url },
    { label: "Badge", address: `${base}/badge.svg` },
    { label: "RSS feed", address: `${base}/feed.xml` },
  ];
  return (
    <Section
      title="Addresses"
      description="They need no token. The badge is an image for other sites and read-me files."
    >
      <Properties
        items={addresses.map(({ label, address }) => ({
          label,
          value: <Copied value={address} label={copyLabel(label)} />,
        }))}
      />
    </Section>
  );
}

const copyLabel = (label: string): string => `Copy ${label === "RSS feed" ? label : label.toLowerCase()} address`;
