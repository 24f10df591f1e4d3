import type { Settings } from "./setting.ts";
import { url } from "./values.ts";

/** The APIs of git hosts and of cloud providers. */
export const providerSettings = {
  gitHostAUrl: {
    env: "LONGSHORE_GIT_HOST_A_URL",
    ...url("http:", "https:"),
    default: "https://github.com",
    about: "The root of git source type `git_host_a` (GitHub, or a GitHub Enterprise server).",
  },
  gitHostBUrl: {
    env: "LONGSHORE_GIT_HOST_B_URL",
    ...url("http:", "https:"),
    default: "https://gitlab.com",
    about: "The root of git source type `git_host_b` (GitLab, also self-hosted).",
  },
  gitHostCUrl: {
    env: "LONGSHORE_GIT_HOST_C_URL",
    ...url("http:", "https:"),
    default: "https://bitbucket.org",
    about: "The root of git source type `git_host_c` (Bitbucket).",
  },
  gitHostAApiUrl: {
    env: "LONGSHORE_GIT_HOST_A_API_URL",
    ...url("http:", "https:"),
    about:
      "The root of the API of `git_host_a`. Without it `https://api.github.com`, or `/api/v3` below another `LONGSHORE_GIT_HOST_A_URL`.",
  },
  gitHostBApiUrl: {
    env: "LONGSHORE_GIT_HOST_B_API_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `git_host_b`. Without it `/api/v4` below `LONGSHORE_GIT_HOST_B_URL`.",
  },
  gitHostCApiUrl: {
    env: "LONGSHORE_GIT_HOST_C_API_URL",
    ...url("http:", "https:"),
    default: "https://api.bitbucket.org/2.0",
    about: "The root of the API of `git_host_c`.",
  },
  cloudAUrl: {
    env: "LONGSHORE_CLOUD_A_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `cloud_a` (Hetzner Cloud). Without it, the provider's own.",
  },
  cloudBUrl: {
    env: "LONGSHORE_CLOUD_B_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `cloud_b` (AWS EC2), for every region. Without it, each region's own.",
  },
  cloudBPricesUrl: {
    env: "LONGSHORE_CLOUD_B_PRICES_URL",
    ...url("http:", "https:"),
    about: "The root of the price list API of `cloud_b`. Without it, the provider's own.",
  },
  cloudBSsmUrl: {
    env: "LONGSHORE_CLOUD_B_SSM_URL",
    ...url("http:", "https:"),
    about: "The root of the API that names the images of `cloud_b` (Systems Manager). Without it, each region's own.",
  },
  cloudCUrl: {
    env: "LONGSHORE_CLOUD_C_URL",
    ...url("http:", "https:"),
    about: "The root of the API of `cloud_c` (DigitalOcean). Without it, the provider's own.",
  },
} as const satisfies Settings;
