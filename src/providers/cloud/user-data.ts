/** The data that a new server gets before we first connect. */
export interface FirstBoot {
  /**
   * Created for this server, in OpenSSH's formats. We trust it for the first connection only, over which the real keys
   * are created.
   */
  hostKey: { privateKey: string; publicKey: string };
  /** The public key that logs in as root. */
  loginKey: string;
}

/**
 * The user data of an order: cloud-init configuration that installs the temporary host key as the only one and lets one key log
 * in as root. Pure. It contains a private key: secret until the real host keys are created.
 *
 * A login may be refused until the first boot has finished (`cloud-init status --wait` waits for it): without a key stored at
 * the provider, the provider sets a root password that has to be changed at the first login. This configuration locks the
 * password and disables its ageing, because even a login with a key would have to change it.
 */
export function userData({ hostKey, loginKey }: FirstBoot): string {
  return `#cloud-config
disable_root: false
ssh_pwauth: false
ssh_deletekeys: true
ssh_keys:
  ed25519_private: ${scalar(`${hostKey.privateKey.trim()}\n`)}
  ed25519_public: ${scalar(hostKey.publicKey.trim())}
users:
  - name: root
    lock_passwd: true
    ssh_authorized_keys:
      - ${scalar(loginKey.trim())}
chpasswd:
  expire: false
runcmd:
  - [chage, --lastday, "-1", --maxdays, "-1", root]
`;
}

// A JSON string is a double-quoted scalar of YAML.
const scalar = (text: string): string => JSON.stringify(text);
