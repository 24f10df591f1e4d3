/** What is wrong, in a few words: `deployment_failed` is "Deployment failed". */
export function kindText(kind: string): string {
  const words = kind.replaceAll("_", " ");
  return texts[kind] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

// Where the API's name alone reads badly.
const texts: Record<string, string> = {
  server_disk_filling: "Disk is filling",
  server_not_applied: "Changes not on the server yet",
  project_not_applied: "Changes not on the server yet",
  order_left: "Left at the provider",
  source_not_registered: "Webhook or key not at the git host",
  own_certificate_expiring: "Own certificate expiring",
  domain_elsewhere: "Domain leads elsewhere",
  app_not_installed: "Application not installed",
  app_not_updated: "Application not updated",
};
