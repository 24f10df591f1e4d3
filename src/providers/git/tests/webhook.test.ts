import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { dialectA } from "../../../../test/git-hosts/git-host-a.ts";
import { dialectB, signed } from "../../../../test/git-hosts/git-host-b.ts";
import { dialectC } from "../../../../test/git-hosts/git-host-c.ts";
import type { Delivered, HostedRepository, SentPush } from "../../../../test/git-hosts/host.ts";
import { webhookDialects } from "../git-hosts.ts";
import type { Delivery, Push } from "../webhook.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const repository: HostedRepository = {
  id: 1,
  path: "acme/shop",
  isPrivate: true,
  sshUrl: "git@git.example.com:acme/shop.git",
  branches: new Map(),
  files: new Map(),
  keys: [],
  hooks: [],
  statuses: [],
  deployments: [],
  environments: new Map(),
};
const [before, after] = ["1".repeat(40), "2".repeat(40)];
const pushed: SentPush = { branch: "feature/x", before, after, author: "Jane Doe", message: "Fix it\n\nAt last." };
const hook = { id: "1", url: "https://panel.example.com/x", secret };

const arrived = ({ headers, body }: Delivered, receivedAt = new Date()): Delivery => ({
  headers,
  body: Buffer.from(body),
  receivedAt,
});

const signing = [
  { type: "git_host_a", stand: dialectA, header: "x-hub-signature-256" },
  { type: "git_host_b", stand: dialectB, header: "webhook-signature" },
  { type: "git_host_c", stand: dialectC, header: "x-hub-signature" },
] as const;

for (const { type, stand, header } of signing) {
  const dialect = webhookDialects[type];
  const send = (push: Partial<SentPush> = {}) => stand.deliver(repository, hook, { ...pushed, ...push });
  const pushOf = (push: Partial<SentPush>): Push | undefined => {
    const received = dialect.read(arrived(send(push)));
    return "pushes" in received ? received.pushes.find((each) => each.name === "feature/x") : undefined;
  };

  describe(`deliveries of ${type}`, () => {
    it("are proven by the signature over every byte", () => {
      const delivered = send();
      assert.equal(dialect.verify(arrived(delivered), secret), "valid");
      assert.equal(dialect.verify(arrived(delivered), `${secret.slice(0, -2)}A=`), "wrong");
      assert.equal(dialect.verify(arrived({ ...delivered, body: `${delivered.body} ` }), secret), "wrong");
      const { [header]: _, ...unsigned } = delivered.headers;
      assert.equal(dialect.verify(arrived({ ...delivered, headers: unsigned }), secret), "missing");
      for (const forged of ["", "sha256=", "v1,", "x".repeat(10_000)]) {
        const proof = dialect.verify(
          arrived({ ...delivered, headers: { ...delivered.headers, [header]: forged } }),
          secret,
        );
        assert.notEqual(proof, "valid", forged);
      }
    });

    it("have branch, commits, author and the first line of the message", () => {
      const { pushedAt: _, ...push } = pushOf({}) ?? assert.fail();
      assert.deepEqual(push, {
        kind: "branch",
        name: "feature/x",
        before,
        after,
        commit: after,
        author: "Jane Doe",
        message: "Fix it",
        skipMark: null,
      });
      assert.equal(pushOf({ before: null })?.before, null);
      assert.equal(pushOf({ after: null })?.after, null);
    });

    it("have the mark by which the message asks not to deploy, wherever it is in the message", () => {
      const markOf = (message: string) => pushOf({ message })?.skipMark;
      for (const mark of [
        "[skip ci]",
        "[ci skip]",
        "[no ci]",
        "[Skip CI]",
        "[CI-Skip]",
        "[skip deploy]",
        "[skip longshore]",
      ]) {
        assert.equal(markOf(`Fix it ${mark} again`), mark);
        assert.equal(markOf(`Fix it\n\nAt last.\n${mark}\n`), mark);
      }
      for (const text of ["skip ci", "[skip cicada]", "[skip]", "[ci] skip", "Support [skip\nci]", "[[skip cd]]"]) {
        assert.equal(markOf(text), null, text);
      }
    });

    it("have the name of a pushed tag, and its commit, which an annotated tag is not", () => {
      const tagged = pushOf({ tag: "refs/tags/feature/x", tagObject: type === "git_host_c" ? undefined : before });
      assert.deepEqual([tagged?.kind, tagged?.name, tagged?.commit], ["tag", "feature/x", after]);
      assert.equal(tagged?.message, "Fix it");
      const gone = pushOf({ tag: "refs/tags/feature/x", after: null });
      assert.deepEqual([gone?.kind, gone?.before, gone?.after, gone?.commit], ["tag", before, null, null]);
    });

    it("hold hostile texts to one short line", () => {
      const author = `Jane\u0000\u202e\nDoe${"x".repeat(1_000)}`;
      const push = pushOf({ author, message: `${"💥".repeat(300)}\nmore` });
      assert.ok(!/[\p{Cc}]/u.test(push?.author ?? "\n"), push?.author ?? "");
      assert.ok((push?.author?.length ?? 999) <= 200);
      assert.equal([...(push?.message ?? "")].length, 200);
    });

    it("are refused as unreadable when they are no JSON", () => {
      assert.throws(() => dialect.read(arrived({ ...send(), body: "{" })), SyntaxError);
      const odd = dialect.read(arrived({ ...send(), body: '[null, {"ref": 7}]' }));
      assert.ok("other" in odd);
    });

    it("share an identity with their repetitions and with no others", () => {
      const delivered = send();
      assert.deepEqual(dialect.identitiesOf(arrived(delivered)), dialect.identitiesOf(arrived(delivered)));
      const others = dialect.identitiesOf(arrived(send({ after: "3".repeat(40) })));
      assert.ok(dialect.identitiesOf(arrived(delivered)).every((each) => !others.includes(each)));
    });
  });
}

describe("signatures", () => {
  // Computed with the openssl command, so that both sides of a delivery are not only checked against each other.
  const body = Buffer.from('{"ref":"refs/heads/main"}');
  const hex = "sha256=76e0bf476ebf82a86527bcbe62e00dbb024fc9cc35916cea62c7db4362126d3e";
  const receivedAt = new Date(1_790_000_000_000);

  it("are those that openssl computes", () => {
    const { git_host_a, git_host_b, git_host_c } = webhookDialects;
    const headers = {
      "x-hub-signature-256": hex,
      "x-hub-signature": hex,
      "webhook-id": "id-1",
      "webhook-timestamp": "1790000000",
      "webhook-signature": "v1,9owxHNmBkoN3DZoU9vBlHxsvQzed81dM78rbEvuDd4c=",
    };
    const delivery = { headers, body, receivedAt };
    assert.equal(git_host_a.verify(delivery, "a secret of tests"), "valid");
    assert.equal(git_host_c.verify(delivery, "a secret of tests"), "valid");
    assert.equal(git_host_b.verify(delivery, secret), "valid");
  });
});

describe("what one host alone sends", () => {
  it("GitHub: forms, pings, and when it took the push", () => {
    const { git_host_a: dialect } = webhookDialects;
    const delivered = dialectA.deliver(repository, hook, { ...pushed, pushedAt: 1_790_000_123 });
    const body = new URLSearchParams({ payload: delivered.body }).toString();
    const headers = {
      ...delivered.headers,
      "content-type": "application/x-www-form-urlencoded",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    };
    assert.equal(dialect.verify(arrived({ body, headers }), secret), "valid");
    const read = dialect.read(arrived({ body, headers }));
    assert.ok("pushes" in read);
    assert.equal(read.pushes[0]?.pushedAt?.toISOString(), "2026-09-21T14:15:23.000Z");
    const ping = { ...delivered, headers: { ...delivered.headers, "x-github-event": "ping" } };
    assert.deepEqual(dialect.read(arrived(ping)), { other: "ping" });
    // A redelivery with another id is recognized by its bytes: the id is not signed.
    const again = { ...delivered, headers: { ...delivered.headers, "x-github-delivery": "another" } };
    const first = dialect.identitiesOf(arrived(delivered));
    assert.ok(dialect.identitiesOf(arrived(again)).some((each) => first.includes(each)));
  });

  it("GitLab: the token in clear counts only where there is no signature, and a signature only for a while", () => {
    const { git_host_b: dialect } = webhookDialects;
    const plain = dialectB.deliver(repository, { ...hook, isPlain: true }, pushed);
    assert.equal(dialect.verify(arrived(plain), secret), "valid");
    assert.equal(
      dialect.verify(arrived({ ...plain, headers: { ...plain.headers, "x-gitlab-token": "no" } }), secret),
      "wrong",
    );
    const both = { ...plain, headers: { ...plain.headers, "webhook-signature": "v1,AAAA" } };
    assert.equal(dialect.verify(arrived(both), secret), "wrong");
    const delivered = signed(plain, "an-id", secret);
    assert.equal(dialect.verify(arrived(delivered), secret), "valid");
    assert.equal(dialect.verify(arrived(delivered, new Date(Date.now() + 10 * 60_000)), secret), "wrong");
    const renamed = { ...delivered, headers: { ...delivered.headers, "webhook-id": "another" } };
    assert.equal(dialect.verify(arrived(renamed), secret), "wrong");
  });

  it("Bitbucket: several branches at once, each for itself", () => {
    const received = webhookDialects.git_host_c.read(arrived(dialectC.deliver(repository, hook, pushed)));
    assert.ok("pushes" in received);
    assert.deepEqual(
      received.pushes.map((push) => push.name),
      ["elsewhere", "feature/x"],
    );
  });

  it("any other git server: the secret address is enough, and a signature has to be right", () => {
    const { git: dialect } = webhookDialects;
    const body = JSON.stringify({ ref: "refs/heads/main", before, after, author: "Jane Doe", message: "Fix it" });
    const headers = { "content-type": "application/json" };
    assert.equal(dialect.verify(arrived({ body, headers }), secret), "valid");
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const withSignature = (value: string) => arrived({ body, headers: { ...headers, "x-hub-signature-256": value } });
    assert.equal(dialect.verify(withSignature(signature), secret), "valid");
    assert.equal(dialect.verify(withSignature(signature.replace(/.$/, "0x")), secret), "wrong");
    assert.deepEqual(dialect.read(arrived({ body, headers })), {
      pushes: [
        {
          ...{ kind: "branch", name: "main", before, after, commit: after },
          ...{ author: "Jane Doe", message: "Fix it", skipMark: null, pushedAt: null },
        },
      ],
    });
  });
});
