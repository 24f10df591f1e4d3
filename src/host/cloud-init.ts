import type { KeyPair } from "./key-pair.ts";

/** What a machine that is ordered needs to know so that it can be connected to. */
export interface FirstBoot {
  /** The public key that opens root's account. */
  loginKey: string;
  /** The host key that it shows until it has made its own. */
  hostKey: KeyPair;
}

/**
 * The user data of a new machine, for cloud-init: root's account opens with the login key, and sshd shows the temporary host
 * key. The same text for the same input, since providers compare repeated orders. JSON is YAML, and needs no quoting of ours.
 * Everything that runs on the machine can read its user data later: the private half proves the machine only until it is
 * replaced (`hostKeys`).
 */
export const firstBoot = ({ loginKey, hostKey }: FirstBoot): string =>
  `#cloud-config\n${JSON.stringify(
    {
      // Otherwise the images of some providers let only another account in.
      disable_root: false,
      ssh_pwauth: false,
      ssh_authorized_keys: [loginKey],
      ssh_deletekeys: true,
      ssh_keys: { ed25519_private: hostKey.privateKey, ed25519_public: hostKey.publicKey },
    },
    null,
    2,
  )}\n`;
