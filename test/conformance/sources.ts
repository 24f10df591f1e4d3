import { type Area, endpoint, everyRoute, rule, testsIn } from "./rule.ts";

const providers = testsIn("src/features/sources/tests/providers.test.ts");
const secrets = testsIn("src/features/sources/tests/secrets.test.ts");
const registration = testsIn("src/features/sources/tests/registration.test.ts");
const pushes = testsIn("src/features/deployments/tests/pushes.test.ts");
const held = testsIn("src/features/deployments/tests/held.test.ts");
const webhook = testsIn("src/providers/git/tests/webhook.test.ts");
const api = testsIn("src/providers/git/tests/api.test.ts");
const deployKey = testsIn("src/features/projects/tests/deploy-key.test.ts");
const git = testsIn("src/host/tests/git.test.ts");
const submodules = testsIn("src/host/tests/submodules.test.ts");
const real = testsIn("test/e2e/git-hosts.e2e.test.ts");

export const sources: Area = {
  title: "Sources and pushes",
  rules: [
    endpoint(
      "POST /api/v1/source-providers connects an account once its host has taken the credentials",
      providers("of … asks the host first, and never shows the token again"),
      providers("stores nothing when the host does not take the credentials, or does not answer"),
      providers("names every bad field, and takes no token that could break a header"),
    ),
    endpoint(
      "GET /api/v1/source-providers lists accounts without credentials",
      providers("of … asks the host first, and never shows the token again"),
    ),
    endpoint(
      "GET /api/v1/source-providers/{id} reads one",
      providers("of … asks the host first, and never shows the token again"),
      providers("is for those who manage the organization, and nobody else sees it"),
    ),
    endpoint(
      "DELETE /api/v1/source-providers/{id} disconnects; what was registered goes",
      registration("loses its registrations with its account, whose token goes after them"),
      registration("is removed later where … hindered it"),
      registration("leaves nothing in a repository of … that was renamed"),
      providers("neither connects nor disconnects accounts, and uses those that are there"),
    ),
    endpoint(
      "GET /api/v1/source-providers/{id}/repositories lists in the host's pages",
      providers("at … is listed in the host's pages"),
      api("lists repositories to the last page, in its own pages"),
    ),
    endpoint(
      "GET /api/v1/source-providers/{id}/branches lists in the host's pages",
      providers("at … is listed in the host's pages"),
      providers("is asked of the repository that was named, and of no other address of the host"),
      api("lists branches, with names of any kind"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/source shows deploy key and webhook",
      registration("shows key, address and secret, which are stored encrypted"),
      registration("shows the secret to those who may change the project alone"),
    ),
    endpoint(
      "POST /api/v1/projects/{id}/source/secret makes a new secret",
      registration("reaches the host by itself"),
      registration("of a plain git server comes with a new address"),
      registration(
        "comes with a new address and a new secret of the webhook; another repository of the type with neither",
      ),
      pushes("is refused with the secret of before, once there is a new one"),
    ),
    endpoint(
      "POST /api/v1/projects/{id}/source/register registers again at once",
      registration("says what is missing when the account does not see the repository, and again at once when asked"),
    ),
    rule(
      "Tokens, secrets and addresses of webhooks are encrypted, and in no log, error or other answer",
      secrets("tokens, secrets and addresses of webhooks are in no log, no answer of others, and no table in clear"),
    ),
    rule(
      "With a connected account key and webhook are registered at the host, once, also after a failure",
      registration("is registered at …: key and webhook, once"),
      registration("is registered at … once, when the answers to it were lost"),
      registration("shows why it could not be registered, and is registered when that has passed"),
      registration("is registered once by many workers at once"),
      real("has its webhook at the host"),
    ),
    rule(
      "What was registered is removed with its project, repository, account or organization",
      registration("leaves nothing at … when it is deleted"),
      registration("moves its registrations with its repository, also to another host"),
      registration("is forgotten by its host when its server is deleted with it"),
      registration("goes to the account of the organization that its server was transferred to"),
      real("leaves neither key nor webhook behind when its project is deleted"),
    ),
    rule(
      "git_repository.type takes a configured source",
      registration("is used for that project, until a type is set again"),
      registration("has to be one of the organization's"),
    ),
    rule(
      "A deploy key for each project, whose private half never leaves the server",
      deployKey("is made once, for nobody but root to read, and its public half is told each time"),
      real("keeps the private half of its key on the server, where root alone reads it"),
    ),
    rule(
      "A private repository is deployed at the first go with a connected account",
      held("begins when the server's key is registered, and fetches with it from where the host says"),
      held("waits for no longer than its time, whatever died"),
      real("is deployed at the first go: the server's key is registered before the fetch"),
    ),
    rule(
      "Without one the failed deployment names the key to add",
      git("names the key to add while the server does not know it"),
      real("fails with the key to add in its sentence, and is deployed when that was added"),
    ),
    rule(
      "Submodules come with the repository, private ones with the project's key",
      submodules("come with the repository, in each other and at relative addresses, at their own commits"),
      submodules(
        "that are private are fetched over SSH with the project's key, from a private repository and a public one",
      ),
      submodules("that the key may not read end the fetch with a sentence that names them and the key"),
      submodules("are kept for a rollback, and go with their release"),
      real("brings its private submodules, each with the same key"),
    ),
    rule(
      "POST /api/v1/hooks/{source}/{token} takes deliveries of one project and its type",
      everyRoute("works after all that"),
      pushes("is of one project and one type"),
      pushes("takes no body that is too large, and reads what is no JSON only when it is signed"),
      pushes("takes a push of many commits, larger than other bodies may be"),
      pushes("answers a ping"),
      pushes("is told by whoever knows the secret address, once a commit"),
    ),
    rule(
      "Events 2: a push to the branch of an auto-deploy project queues one deployment of that commit",
      everyRoute("works after all that"),
      pushes("queues one deployment of its commit, with its author and message"),
      pushes("queues none for other branches, tags, a deleted branch, or while auto-deploy is off"),
      real("is deployed again by a push, once, however often it is told"),
    ),
    rule(
      "A repeated delivery queues none",
      pushes("queues none when its delivery is repeated, also many times at once"),
      pushes("deploys each time that the branch goes back and forth, and not when one of these is told again"),
      pushes(
        "is deleted after a year, but for the newest push: what is older than it is not deployed, whenever it comes",
      ),
      webhook("share an identity with their repetitions and with no others"),
    ),
    rule(
      "The signature is checked where the source signs",
      pushes("is refused unsigned with 401 and wrongly signed with 403, and neither says anything of the project"),
      webhook("are proven by the signature over every byte"),
      webhook("are those that openssl computes"),
      pushes("has to be signed rightly where it is signed"),
      webhook("GitLab: the token in clear counts only where there is no signature, and a signature only for a while"),
    ),
    rule(
      "A push that comes late does not bring an older commit back",
      pushes("that comes late does not bring an older commit back"),
      pushes("that goes back and forth deploys each time"),
      pushes("is told by the chain within a second"),
      pushes("is told by the host's time where there is one, and else by the chain"),
    ),
  ],
};
