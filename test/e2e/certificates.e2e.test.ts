import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile } from "node:fs/promises";
import { get } from "node:http";
import { get as getSecurely } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it, type TestContext } from "node:test";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { openPool, type Pool } from "../../src/db/pool.ts";
import { pollUntil } from "../../src/lib/clock.ts";
import { waitFor } from "../../stage/api-client.ts";
import { bridgeAddress, removeDirectory } from "../../stage/fixture.ts";
import { type Authority, environmentOf, startAuthority } from "../../stage/pebble.ts";
import { primaryDomain } from "../../stage/projects.ts";
import { selfSigned } from "../../stage/self-signed.ts";
import { install, lengthy, openStage, type Place, type Project, type Stage, waiting } from "../../stage/support.ts";
import { startResponder } from "../ocsp.ts";
import { openPlatformDatabase } from "./attacks/support.ts";
import { assertRecordsAreWhole } from "./matrix/checks.ts";
import { Faults, quickToGiveUp } from "./matrix/faults.ts";
import { type Gate, Gates } from "./matrix/gates.ts";
import { chosenStart, complete, seed } from "./matrix/scope.ts";
import { mountSmallDisk } from "./matrix/small-disk.ts";
import { type FaultName, goOnFaults, reasonOf, survives } from "./matrix/table.ts";
import { everywhere, type Journey, leadThrough, type Strikes, strike } from "./matrix/walk.ts";

// Certificates of a real authority, on a real nginx, as visitors see them.

const run = promisify(execFile);

let directory: string;
let authority: Authority;
let stage: Stage;
let shop: Project;
let faults: Faults;
let pool: Pool;
let gates: Gates;

const page = { "index.html": "<h1>Shop</h1>" };

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-authority-"));
  authority = await startAuthority({ directory, nonceReject: 10 });
  stage = await openStage("certificates", environment());
  await authority.pointAll(stage.server.address);
  shop = await install(stage, { name: "shop", files: page });
}, lengthy);

const environment = () => ({
  ...environmentOf(authority),
  LONGSHORE_ACME_SAME_NAMES_LIMIT: "0",
  LONGSHORE_ACME_DOMAIN_LIMIT: "0",
  LONGSHORE_ANSWER_WITHIN_SECONDS: "60",
});

afterEach(() => authority?.mend());

after(async () => {
  await pool?.end();
  await gates?.close();
  await faults?.end();
  await stage?.close();
  await authority?.close();
  await removeDirectory(directory);
});

const uploadCertificate = "POST /api/v1/projects/{projectId}/certificates/custom";

const orderFor = async ({ id }: Project) => ({
  body: { project_id: id, domain_id: await primaryDomain(stage.client, id) },
});

const issue = async (project: Project) => stage.client.answer("POST /api/v1/certificates", await orderFor(project));

const certificatesOf = ({ id }: Pick<Project, "id">) =>
  stage.client("GET /api/v1/projects/{projectId}/certificates", { params: { projectId: id } });

const certificateOf = async (project: Project) => {
  const [certificate] = await certificatesOf(project);
  assert.ok(certificate, "there is a certificate");
  return certificate;
};

const certificatePath = async (project: Project) => ({
  params: { projectId: project.id, certificateId: (await certificateOf(project)).id },
});

const renew = async (project: Project) =>
  stage.client.success(
    "POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew",
    await certificatePath(project),
  );

const publish = ({ id }: Project, query: { force_ssl: 0 | 1 }) =>
  stage.client("GET /api/v1/projects/{id}/publish", { params: { id }, query });

const remove = ({ id }: Project) =>
  stage.client("DELETE /api/v1/certificates/{projectId}", { params: { projectId: id } });

/** The certificate that visitors of a name see; undefined when none is shown. */
const shown = (name: string): Promise<X509Certificate | undefined> =>
  new Promise((resolve) => {
    const options = { host: stage.server.address, port: 443, servername: name, rejectUnauthorized: false };
    const socket = connect(options, () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.on("error", () => resolve(undefined));
  });

const plain = (host: string): Promise<{ status: number; location: string | undefined }> =>
  new Promise((resolve, reject) => {
    get({ host: stage.server.address, headers: { Host: host }, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location });
    }).on("error", reject);
  });

const filesOf = ({ id }: Project) =>
  stage.bash(`find /etc/longshore/tls/project-${id} -type f -printf '%f %m %U\\n' 2> /dev/null | sort || true`);

const challengesLeft = () => stage.bash("ls -A /var/lib/longshore/acme");

describe("issuing", () => {
  it("serves the project with a certificate of the authority, and sends plain HTTP there", async () => {
    const { status, body } = await stage.client.success("POST /api/v1/certificates", await orderFor(shop));
    assert.deepEqual([status, body.status], [201, "success"], body.message);
    const { ssl_response, nginx_response } = body.data;
    assert.ok(ssl_response?.ok && nginx_response?.ok);
    assert.match(ssl_response.system_output.join("\n"), /points to this server, and port 80 answers/);
    assert.ok(nginx_response.system_output.length > 0);
    const certificate = await shown(shop.domain);
    assert.equal(certificate?.subjectAltName, `DNS:${shop.domain}`);
    assert.ok(certificate?.verify(new X509Certificate(await issuerOf(shop)).publicKey));
    assert.deepEqual(await plain(shop.domain), { status: 301, location: `https://${shop.domain}/` });
  });

  it("leaves the key on the server, for root alone, and no challenge behind", async () => {
    const certificate = await certificateOf(shop);
    assert.equal(await filesOf(shop), "fullchain.pem 644 0\nprivkey.pem 600 0");
    assert.match(await stage.bash(`openssl pkey -in ${certificate.cert_key_path} -noout -text`), /prime256v1/);
    assert.equal(
      await stage.bash(`openssl x509 -in ${certificate.cert_path} -noout -fingerprint -sha256 | cut -d = -f 2`),
      (await shown(shop.domain))?.fingerprint256,
    );
    assert.equal(await challengesLeft(), "");
    assert.doesNotMatch(JSON.stringify(await certificatesOf(shop)), /PRIVATE KEY/);
  });

  it("is recorded with its paths, its names and its day of expiry", async () => {
    const certificate = await certificateOf(shop);
    assert.deepEqual([certificate.status, certificate.names], [1, [shop.domain]]);
    assert.match(certificate.expires_at ?? "", /^\d{4}-\d{2}-\d{2}$/);
    const day = new Date((await shown(shop.domain))?.validTo ?? "").toISOString().slice(0, 10);
    assert.equal(certificate.expires_at, day);
    assert.equal(certificate.domain_id, await primaryDomain(stage.client, shop.id));
    const one = await stage.client(
      "GET /api/v1/projects/{projectId}/certificates/{certificateId}",
      await certificatePath(shop),
    );
    assert.deepEqual(one, certificate);
    assert.equal((await stage.client("GET /api/v1/projects/{id}", { params: { id: shop.id } })).ssl_is_enabled, 1);
  });

  it("happens once for all who ask at the same time", async () => {
    const before = authority.answered.length;
    const answers = await Promise.all([renew(shop), renew(shop), renew(shop)]);
    assert.deepEqual(
      answers.map(({ body }) => body.data.ssl_response?.ok),
      [true, true, true],
    );
    const orders = authority.answered.slice(before).filter((line) => line === "POST /order-plz 201");
    assert.ok(orders.length >= 1 && orders.length <= 3, `${orders.length}`);
    assert.equal(await filesOf(shop), "fullchain.pem 644 0\nprivkey.pem 600 0");
  });
});

const issuerOf = async ({ id }: Project): Promise<string> => {
  const chain = await stage.bash(`cat /etc/longshore/tls/project-${id}/*/fullchain.pem`);
  return `-----BEGIN${chain.split("-----BEGIN")[2]}`;
};

describe("TLS", () => {
  // Tested with openssl itself: a handshake with each protocol and each weak cipher has to fail.
  const handshake = (...args: string[]) =>
    run("bash", [
      "-c",
      `openssl s_client -connect ${stage.server.address}:443 -servername ${shop.domain} "$@" < /dev/null 2>&1`,
      "-",
      ...args,
    ]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  const cipherIn = (text: string) => /Cipher is (\S+)/.exec(text)?.[1];
  const isRefused = (text: string) => cipherIn(text) === undefined || cipherIn(text) === "(NONE)";

  it("speaks 1.2 and 1.3", async () => {
    assert.equal(isRefused(await handshake("-tls1_2")), false);
    assert.equal(isRefused(await handshake("-tls1_3")), false);
  });

  it("speaks no weak protocol", async () => {
    for (const protocol of ["-tls1", "-tls1_1"]) {
      assert.ok(isRefused(await handshake(protocol, "-cipher", "ALL:@SECLEVEL=0")), protocol);
    }
  });

  it("takes no weak cipher", async () => {
    const { stdout } = await run("openssl", ["ciphers", "-s", "-tls1_2", "ALL:COMPLEMENTOFALL:@SECLEVEL=0"]);
    const strong = /^(ECDHE|DHE)-(ECDSA|RSA)-(AES(128|256)-GCM-SHA(256|384)|CHACHA20-POLY1305)$/;
    const weak = stdout
      .trim()
      .split(":")
      .filter((cipher) => !strong.test(cipher));
    assert.ok(weak.length > 20, "openssl offers weak ones");
    assert.ok(isRefused(await handshake("-tls1_2", "-cipher", `${weak.join(":")}:@SECLEVEL=0`)));
    assert.match(cipherIn(await handshake("-tls1_2", "-cipher", "ALL:@SECLEVEL=0")) ?? "", strong);
  });

  it("speaks HTTP/2, does not compress, and renegotiates only safely", async () => {
    const seen = await handshake("-alpn", "h2", "-tls1_2");
    assert.match(seen, /ALPN protocol: h2/);
    assert.match(seen, /Compression: NONE/);
    assert.match(seen, /Secure Renegotiation IS supported/);
  });

  it("shows no certificate to a visitor that asks for an unknown name", async () => {
    assert.equal(await shown("unknown.example.test"), undefined);
  });
});

describe("renewing", () => {
  it("replaces certificate and key, and is answered with the messages", async () => {
    const before = await shown(shop.domain);
    const { status, body } = await renew(shop);
    assert.deepEqual([status, body.status, body.data.nginx_response?.ok], [200, "success", true], JSON.stringify(body));
    const now = await shown(shop.domain);
    assert.notEqual(now?.fingerprint256, before?.fingerprint256);
    assert.notEqual(
      now?.publicKey.export({ type: "spki", format: "pem" }),
      before?.publicKey.export({ type: "spki", format: "pem" }),
    );
    assert.equal(await filesOf(shop), "fullchain.pem 644 0\nprivkey.pem 600 0");
  });
});

describe("a failure", () => {
  /** Tries to renew; resolves with the certificate before, the answer, and the requests to the authority. */
  const attempt = async () => {
    const from = authority.requests.length;
    const before = (await shown(shop.domain))?.fingerprint256;
    return [before, await renew(shop), authority.requests.slice(from)] as const;
  };

  // In one order of a hundred, pebble skips the validation of a name that it has validated before, even with the lowest
  // setting.
  const isTakenForProven = (requests: readonly string[]) =>
    requests.some((line) => line.includes("/finalize-order")) && !requests.some((line) => line.includes("/chalZ"));

  const failed = async (expected: RegExp): Promise<void> => {
    let [before, reply, requests] = await attempt();
    while (isTakenForProven(requests)) [before, reply, requests] = await attempt();
    const { status, body } = reply;
    assert.deepEqual([status, body.status, body.data.ssl_response?.ok], [200, "failed", false], JSON.stringify(body));
    assert.match(body.message, expected);
    assert.match((await certificateOf(shop)).error ?? "", expected);
    assert.equal((await shown(shop.domain))?.fingerprint256, before, "the present certificate is served");
    assert.equal((await certificateOf(shop)).status, 1);
    assert.equal((await plain(shop.domain)).status, 301);
  };

  it("of the DNS names what to change, and the authority is not asked", async () => {
    const before = authority.requests.length;
    await authority.point(shop.domain, "198.51.100.7");
    await failed(
      new RegExp(
        `${shop.domain} points to 198\\.51\\.100\\.7 and not to .*: set its DNS record to ${stage.server.address}`,
      ),
    );
    await authority.point(shop.domain);
    await failed(new RegExp(`${shop.domain} cannot be looked up`));
    await authority.point(shop.domain, stage.server.address);
    assert.deepEqual(authority.requests.slice(before), []);
  });

  it("of port 80 is reported, and the authority is not asked", async () => {
    const before = authority.requests.length;
    await stage.bash(
      "nft add table inet shut; nft add chain inet shut input '{ type filter hook input priority -200; }'; nft add rule inet shut input ip saddr != 127.0.0.1 tcp dport 80 reject with tcp reset",
    );
    try {
      const { status, body } = await renew(shop);
      assert.deepEqual([status, body.status], [200, "failed"]);
      assert.match(body.message, /port 80 of [\d.]+ does not answer \(connection refused\): open it in the firewall/);
    } finally {
      await stage.bash("nft delete table inet shut");
    }
    assert.deepEqual(authority.requests.slice(before), []);
    assert.ok(await shown(shop.domain));
  });

  it("of the proof reports what the authority saw", async () => {
    // The test changes the served files between the check from here and the authority's.
    const changed = Promise.withResolvers<string>();
    authority.before(/chalZ/, async () => {
      changed.resolve(
        await stage.bash(
          'cd /var/lib/longshore/acme; for file in *; do [[ $file == longshore-* ]] || echo wrong | tee -- "$file"; done',
        ),
      );
    });
    await failed(new RegExp(`The authority could not verify ${shop.domain}: .*key authorization`, "i"));
    assert.equal(await changed.promise, "wrong");
    assert.ok(await pollUntil(async () => (await challengesLeft()) === "", { timeoutMs: 120_000 }), "nothing is left");
  });

  it("of the authority that does not pass is reported in its words", async () => {
    authority.fail(/chalZ/, { status: 403, type: "unauthorized", detail: "The account is blocked." }, 1);
    await failed(/The certificate authority refuses: The account is blocked\./);
  });

  it("of nonces is not noticed", async () => {
    const before = authority.requests.length;
    authority.fail(/order-plz/, { status: 400, type: "badNonce", detail: "The nonce is not known." }, 4);
    const { body } = await renew(shop);
    assert.equal(body.status, "success", JSON.stringify(body));
    assert.doesNotMatch(body.data.ssl_response?.system_output.join("\n") ?? "", /nonce/i);
    const orders = authority.requests.slice(before).filter((line) => line === "POST /order-plz");
    assert.ok(orders.length >= 5, `${orders.length} requests`);
  });

  it("of the authority that passes is waited for", async () => {
    authority.fail(/order-plz/, { status: 500 }, 2);
    authority.fail(/finalize-order/, { status: 503 }, 1);
    const { body } = await renew(shop);
    assert.equal(body.status, "success", JSON.stringify(body));
    assert.match(body.data.ssl_response?.system_output.join("\n") ?? "", /answered with status 500\. It is retried/);
  });

  it("of a limit is reported with the time, no request is made before it is over, and other domains continue", async () => {
    const domain = "shop.limited-example.test";
    const limited = await install(stage, { name: "limited", files: page, more: { domain } });
    const detail = "too many certificates already issued for limited-example.test";
    const headers = { "Retry-After": "3600" };
    authority.fail(/order-plz/, { status: 429, type: "rateLimited", detail, headers }, 1);
    const limit =
      /takes no more orders for now: too many .*\. The next one can be ordered from \d{4}-\d\d-\d\d \d\d:\d\d UTC on/;
    assert.match((await issue(limited)).body.message, limit);
    const before = authority.requests.length;
    assert.match((await issue(limited)).body.message, limit);
    assert.deepEqual(authority.requests.slice(before), [], "the authority is left alone");
    assert.equal((await certificateOf(limited)).status, 2);
    assert.equal((await renew(shop)).body.status, "success");
  });
});

describe("a name that does not lead to the server", () => {
  const lost = "lost.shop.example.test";
  const addName = async (domain: string) =>
    (await stage.client("POST /api/v1/projects/{id}/domains", { params: { id: shop.id }, body: { domain } })).domain.id;

  it("is left out of a certificate for the others, and added when it does", async () => {
    if ((await certificatesOf(shop)).length === 0) assert.equal((await issue(shop)).body.status, "success");
    await authority.point(lost, "198.51.100.7");
    const id = await addName(lost);
    const ended = async () => ((await certificateOf(shop)).error ?? "").includes(lost);
    await waitFor("the order without the name, or its failure", ended, waiting);
    const { body } = await renew(shop);
    assert.equal(body.status, "success", JSON.stringify(body));
    assert.match(body.message, /does not cover lost\.shop\.example\.test: .*points to 198\.51\.100\.7/);
    const certificate = await certificateOf(shop);
    assert.deepEqual([certificate.status, certificate.left_out.map(({ name }) => name)], [1, [lost]]);
    assert.ok(!certificate.names.includes(lost) && certificate.names.includes(shop.domain));
    assert.equal((await plain(lost)).status, 200, "over plain HTTP");

    await authority.point(lost, stage.server.address);
    // What the wait for the next attempt ends with.
    const platformDatabase = await openPlatformDatabase(stage);
    await platformDatabase.query("update certificates set retry_at = now() where project_id = $1", [shop.id]);
    await platformDatabase.end();
    const isCovered = async () => (await certificateOf(shop)).names.includes(lost);
    await waitFor("the certificate with the name", isCovered, waiting);
    const { left_out, error } = await certificateOf(shop);
    assert.deepEqual([left_out, error], [[], null]);
    assert.ok((await shown(lost))?.checkHost(lost));

    await stage.client("DELETE /api/v1/projects/{projectId}/domains/{domainId}", {
      params: { projectId: shop.id, domainId: id },
    });
    const isGone = async () => !(await certificateOf(shop)).names.includes(lost);
    await waitFor("the certificate without the name", isGone, waiting);
  });
});

let secure: Project;

describe("SSL of a project", () => {
  it("that is enabled when it is created gets its certificate after the installation", async () => {
    secure = await install(stage, { name: "secure", files: page, more: { ssl_is_enabled: 1, www_redirect: 1 } });
    await certified(secure);
    assert.equal(
      (await shown(secure.domain))?.subjectAltName,
      `DNS:${secure.domain}, DNS:www.${secure.domain}`,
      "the www form is covered too",
    );
    assert.equal((await plain(`www.${secure.domain}`)).location, `https://${secure.domain}/`);
  });

  it("is disabled and enabled by publishing, with the same certificate", async () => {
    const before = await shown(secure.domain);
    await publish(secure, { force_ssl: 0 });
    assert.deepEqual([await shown(secure.domain), (await plain(secure.domain)).status], [undefined, 200]);
    await publish(secure, { force_ssl: 1 });
    assert.equal((await shown(secure.domain))?.fingerprint256, before?.fingerprint256);
  });

  it("is removed with the certificate, and the site is served over HTTP again", async () => {
    const { status, data } = await remove(secure);
    assert.deepEqual([status, data.nginx_response?.ok], ["success", true]);
    assert.deepEqual([await shown(secure.domain), (await plain(secure.domain)).status], [undefined, 200]);
    assert.deepEqual(await certificatesOf(secure), []);
    const gone = await pollUntil(async () => (await filesOf(secure)) === "", { timeoutMs: 120_000, everyMs: 200 });
    assert.ok(gone, "its files are removed");
    const again = { params: { projectId: secure.id } };
    assert.equal((await stage.client.refusal("DELETE /api/v1/certificates/{projectId}", again)).status, 404);
  });

  it("that is enabled by publishing gets its certificate by itself", async () => {
    assert.match((await publish(secure, { force_ssl: 1 })).message, /certificate is being ordered/);
    await certified(secure);
    assert.ok(await shown(secure.domain));
  });
});

describe("the names of a project", () => {
  it("changed under load shows no wrong certificate, and ends with one for all names", async () => {
    const { id, domain } = await install(stage, { name: "busy", files: page, more: { ssl_is_enabled: 1 } });
    await certified({ id });
    const names = [domain, ...[1, 2, 3].map((at) => `busy-${at}.example.test`)];
    const visitors = startVisitors(names);
    try {
      for (let count = 2; count <= names.length; count++) {
        const domains = names.slice(0, count);
        await stage.client("PUT /api/v1/projects/{id}/domains", { params: { id }, body: { domains } });
        for (const name of domains) await covered(name, domains);
      }
    } finally {
      await visitors.stop();
    }
    const { visits, wrong } = await visitors.stop();
    assert.ok(visits > 100, `${visits} visits`);
    assert.deepEqual(wrong, []);
  });
});

/**
 * Waits until a project has its certificate. It is served before: but right after nginx has reloaded, its former workers still take
 * requests for a moment. An installation ends when they have gone.
 */
async function certified(project: Pick<Project, "id">): Promise<void> {
  const isActive = async () => (await certificatesOf(project)).some(({ status }) => status === 1);
  await waitFor(`the certificate of project ${project.id}`, isActive, waiting);
}

/** Waits until visitors of a name see a certificate for all names. */
async function covered(name: string, names: readonly string[]): Promise<void> {
  const isThere = async () => {
    const certificate = await shown(name);
    return certificate !== undefined && names.every((each) => certificate.checkHost(each));
  };
  assert.ok(await pollUntil(isThere, { timeoutMs: 120_000, everyMs: 50 }), `no certificate for ${names.join(", ")}`);
}

/** Visitors who connect again for each request; the first name is served over HTTPS all the time. */
function startVisitors(names: readonly string[]) {
  const [first = ""] = names;
  const wrong: string[] = [];
  let visits = 0;
  let isOver = false;
  const walk = async (look: () => Promise<string | undefined>) => {
    while (!isOver) {
      const complaint = await look().catch((error: unknown) => String(error));
      visits += 1;
      if (complaint) wrong.push(complaint);
    }
  };
  const looks = [
    async () => ((await secureStatus(first)) === 200 ? undefined : `${first} does not answer 200`),
    async () => ((await plain(first)).status === 301 ? undefined : `${first} does not send visitors on`),
    ...names.map((name) => async () => {
      const certificate = await shown(name);
      return certificate === undefined || certificate.checkHost(name)
        ? undefined
        : `${name}: ${certificate.subjectAltName}`;
    }),
  ];
  const walking = Promise.all(looks.map(walk));
  return {
    async stop(): Promise<{ visits: number; wrong: string[] }> {
      isOver = true;
      await walking;
      return { visits, wrong };
    },
  };
}

const secureStatus = (name: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = {
      host: stage.server.address,
      servername: name,
      headers: { Host: name },
      agent: false,
      rejectUnauthorized: false,
    };
    getSecurely(options, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    }).on("error", reject);
  });

describe("a certificate of one's own", () => {
  const upload = async (names: readonly string[]) => ({
    params: { projectId: shop.id },
    body: await selfSigned(names),
  });

  it("is served, and its key is on the server alone", async () => {
    const own = await upload([shop.domain]);
    const { status, body } = await stage.client.success(uploadCertificate, own);
    assert.deepEqual([status, body.status], [201, "success"], body.message);
    const { certificate } = own.body;
    assert.equal((await shown(shop.domain))?.fingerprint256, new X509Certificate(certificate).fingerprint256);
    assert.equal(await filesOf(shop), "fullchain.pem 644 0\nprivkey.pem 600 0");
    const journal = await stage.bash(
      "cat /var/lib/longshore/runs/*/journal /var/lib/longshore/runs/*/steps/* 2> /dev/null || true",
    );
    assert.doesNotMatch(journal, /PRIVATE KEY/);
  });

  it("is refused with what is wrong with it", async () => {
    const { status, body } = await stage.client.refusal(uploadCertificate, await upload(["elsewhere.example.test"]));
    assert.deepEqual([status, body.errors?.certificate], [422, `The certificate does not cover ${shop.domain}.`]);
  });

  it("is not renewed, and gives way to one of the authority", async () => {
    const { status, body } = await stage.client.refusal(
      "POST /api/v1/projects/{projectId}/certificates/{certificateId}/renew",
      await certificatePath(shop),
    );
    assert.deepEqual([status, body.message], [422, "The certificate was uploaded: upload the next one."]);
    assert.equal((await issue(shop)).body.status, "success");
    const certificate = await shown(shop.domain);
    assert.match(certificate?.issuer ?? "", /Pebble/);
  });
});

describe("revocation", () => {
  const status = () =>
    run("bash", [
      "-c",
      'openssl s_client -connect "$1:443" -servername "$2" -status < /dev/null 2>&1',
      "-",
      stage.server.address,
      shop.domain,
    ]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );

  it("is answered with the authority's OCSP response, where it offers that", async () => {
    assert.match(await status(), /OCSP response: no response sent/, "pebble offers none");
    const responder = await startResponder(
      await mkdtemp(join(directory, "ocsp-")),
      bridgeAddress(stage.server),
      shop.domain,
    );
    try {
      const { certificate, private_key } = responder;
      const uploaded = await stage.client(uploadCertificate, {
        params: { projectId: shop.id },
        body: { certificate, private_key },
      });
      assert.equal(uploaded.status, "success", uploaded.message);
      const isStapled = async () => /Cert Status: good/.test(await status());
      assert.ok(await pollUntil(isStapled, { timeoutMs: 120_000, everyMs: 200 }), await status());
    } finally {
      responder.close();
    }
  });
});

describe("deleting a project", () => {
  it("removes its certificates from the server", async () => {
    await stage.client("DELETE /api/v1/project/{id}", { params: { id: shop.id } });
    assert.ok(await pollUntil(async () => (await filesOf(shop)) === "", { timeoutMs: 120_000, everyMs: 200 }));
    assert.equal(await shown(shop.domain), undefined);
  });
});

// Faults -------------------------------------------------------------------------------------------------------------------

/** What each test of a fault begins with, and what has happened since. */
interface Before {
  fingerprint: string | undefined;
  /** How many requests the authority had answered. */
  answered: number;
  runId: number;
  orderId: number;
}

const nothingYet: Before = { fingerprint: undefined, answered: 0, runId: 0, orderId: 0 };

/** Whether no work on the project's certificate is left. */
const isSettled = async (): Promise<boolean> => {
  const query = `
    select 1 from certificate_orders where project_id = $1 and outcome is null
    union all select 1 from workflows where kind = 'certificate-order' and ended_at is null
    union all select 1 from targets where subject_id = $1 and kind in ('certificate-cleanup', 'site')
      and applied_version < wanted_version`;
  return (await pool.query(query, [secure.id])).rowCount === 0;
};

const look = async (): Promise<Before> => {
  const query = `
    select (select coalesce(max(id), 0) from runs) as "runId",
      (select coalesce(max(id), 0) from certificate_orders) as "orderId"`;
  const ids = (await pool.query<Pick<Before, "runId" | "orderId">>(query)).rows[0];
  const fingerprint = (await shown(secure.domain))?.fingerprint256;
  return { ...nothingYet, ...ids, fingerprint, answered: authority.answered.length };
};

const strikeBy =
  (blows: readonly FaultName[]) =>
  (gate: Gate, count: number): Promise<void> =>
    // The authority has to reach the server, too, and its verdict is final: between runs the network is back before.
    strike(
      { faults, gates },
      blows[count % blows.length] as FaultName,
      gate.server ?? placeOf(stage),
      gate,
      gate.server ? undefined : async () => undefined,
    );

const placeOf = ({ server, serverId: id, bash }: Stage): Place => ({ server, id, bash });

/** An order that replaces the present certificate. Its first attempt fails at a late step, so that what puts it back is struck too. */
async function leadOrder(blows: readonly FaultName[], strikes: Strikes, t: TestContext): Promise<void> {
  await waitFor("the end of former work", isSettled, waiting);
  await gates.clear();
  const plans = ["request", "challenge", "install", "cleanup"].map((each) => `certificate-${each}`);
  for (const plan of ["certificate-order", ...plans]) await gates.hold(plan);
  await gates.fail("certificate-install", "check-served-certificate");
  const says = [/made to fail/, ...blows.filter((fault) => !survives(fault)).map((fault) => reasonOf[fault])];
  // A server that has just booted takes a moment.
  const afterBlows = { timeoutMs: blows.every(survives) ? 0 : 300_000 };
  let before = nothingYet;
  const journey: Journey = {
    begin: async () => {
      before = await look();
      renew(secure).catch(() => undefined);
      const isThere = async () => (await look()).orderId > before.orderId;
      await waitFor("the order", isThere, waiting);
    },
    isOver: isSettled,
    look: async ({ name }) => {
      const isReplaced = /^certificate-(install|order\.(look|succeeded))/.test(name);
      const isFine = async () => {
        const certificate = await shown(secure.domain);
        return isReplaced ? certificate !== undefined : certificate?.fingerprint256 === before.fingerprint;
      };
      await waitFor(`a certificate to be served at ${name}`, isFine, afterBlows);
    },
    strike: strikeBy(blows),
    end: async () => {
      await gates.mend();
      const query = "select outcome, error from certificate_orders where id > $1 order by id";
      const { rows } = await pool.query(query, [before.orderId]);
      assert.equal(rows.length, 1, "there is one order");
      const [{ outcome, error }] = rows;
      const hasSucceeded = outcome === "succeeded";
      const isServed = async () => (await shown(secure.domain)) !== undefined;
      await waitFor("a certificate to be served", isServed, afterBlows);
      const { fingerprint } = await look();
      assert.equal(fingerprint !== before.fingerprint, hasSucceeded, `${outcome}: ${error}`);
      assert.ok(fingerprint, "a certificate is served");
      if (!hasSucceeded)
        assert.ok(
          says.some((reason) => reason.test(error)),
          `${outcome}: ${error}`,
        );
      const placed = authority.answered.slice(before.answered).filter((line) => line === "POST /order-plz 201");
      assert.ok(
        placed.length <= 1 && (placed.length === 1 || !hasSucceeded),
        `${placed.length} orders at the authority`,
      );
      assert.equal(await filesOf(secure), "fullchain.pem 644 0\nprivkey.pem 600 0");
      assert.equal(await challengesLeft(), "");
      if (blows.every(survives)) await assertRecords(before);
      return hasSucceeded;
    },
  };
  await leadThrough(gates, journey, strikes, t);
}

/** The removal of the present certificate, after which the next one is issued. */
async function leadRemoval(blows: readonly FaultName[], t: TestContext): Promise<void> {
  await gates.clear();
  // Not its publication, which test/e2e/matrix interrupts.
  await gates.hold("certificate-cleanup");
  let before = nothingYet;
  const journey: Journey = {
    begin: async () => {
      before = await look();
      remove(secure).catch(() => undefined);
      const isGone = async () => (await certificatesOf(secure)).length === 0;
      await waitFor("the certificate to be deleted", isGone, waiting);
    },
    isOver: isSettled,
    look: async () => undefined,
    strike: strikeBy(blows),
    end: async () => {
      const isPlain = async () => (await plain(secure.domain)).status === 200;
      await waitFor("the site to be served over HTTP", isPlain, waiting);
      assert.deepEqual([await shown(secure.domain), await filesOf(secure)], [undefined, ""]);
      if (blows.every(survives)) await assertRecords(before);
      return true;
    },
  };
  await leadThrough(gates, journey, everywhere, t);
  await gates.clear();
  assert.equal((await issue(secure)).body.status, "success");
}

/** The database has what the project's runs have reported since. */
async function assertRecords({ runId }: Before): Promise<void> {
  const query = "select * from runs where subject = 'project' and subject_id = $1 and id > $2";
  await assertRecordsAreWhole({ pool, stage }, (await pool.query(query, [secure.id, runId])).rows);
}

const beginFaults = async (): Promise<void> => {
  faults = new Faults(stage, { ...environment(), ...quickToGiveUp });
  const { dataDirectory } = stage.platform;
  const { url } = JSON.parse(await readFile(join(dataDirectory, "lock"), "utf8")) as { url: string };
  pool = openPool(url, { max: 2 });
  gates = Gates.open({ url, dataDirectory }, [placeOf(stage)]);
};

const happens: Record<FaultName, string> = {
  "control plane": "the control plane is killed",
  PostgreSQL: "PostgreSQL is killed",
  network: "the network is cut",
  reboot: "the server is rebooted",
  disk: "the disk is full",
};

describe("an order, and the removal of a certificate", () => {
  before(beginFaults);

  if (!complete) {
    it(`leave no harm when something happens at some of their steps and phases (seed ${seed})`, async (t) => {
      await leadOrder(["control plane", "PostgreSQL", "network", "reboot"], { every: 6, first: chosenStart(6) }, t);
    });
  }
  for (const fault of complete ? ([...goOnFaults, "reboot"] as const) : []) {
    it(`leave no harm when ${happens[fault]} at each of their steps and phases`, async (t) => {
      await leadOrder([fault], everywhere, t);
      await leadRemoval([fault], t);
    });
  }

  // The last test: the small disk does not survive a boot.
  it(`leave no harm when ${happens.disk} at ${complete ? "each" : "one"} of their steps and phases`, async (t) => {
    await mountSmallDisk(stage);
    await leadOrder(["disk"], complete ? everywhere : { every: 16, first: chosenStart(16) }, t);
    if (complete) await leadRemoval(["disk"], t);
  });
});
