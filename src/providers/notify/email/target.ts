import type { ChannelKind, GivenTarget } from "../channel.ts";

export interface EmailTarget {
  addresses: string[];
}

const maxAddresses = 20;
const address = /^[^\s@,;:<>()[\]"\\]{1,64}@[^\s@,;:<>()[\]"\\]{1,253}$/;

/** Addresses are not secret: they are shown unchanged. */
export const emailTarget: Pick<ChannelKind<EmailTarget>, "read" | "show" | "secretsOf"> = {
  read,
  show: ({ addresses }) => addresses.join(", "),
  secretsOf: () => [],
};

/** Nothing that a header or a mail server could interpret as more than an address. */
export const isEmailAddress = (text: string): boolean => address.test(text) && !/[\p{Cc}\p{Cf}]/u.test(text);

function read({ target }: GivenTarget, stored?: EmailTarget) {
  if (target === undefined && stored) return { target: stored };
  const addresses = [...new Set((target ?? "").split(",").map((each) => each.trim()))].filter((each) => each !== "");
  const bad = addresses.find((each) => !isEmailAddress(each));
  if (bad !== undefined) return { errors: { target: `The target must be email addresses; ${bad} is not one.` } };
  if (addresses.length === 0 || addresses.length > maxAddresses) {
    return { errors: { target: `The target must be 1 to ${maxAddresses} email addresses, separated by commas.` } };
  }
  return { target: { addresses } };
}
