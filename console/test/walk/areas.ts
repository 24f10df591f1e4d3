const isOfProjects = (pattern: string): boolean =>
  /^\/o\/:organization\/(?:projects|deployments)(?:$|\/)/.test(pattern);
const isOfServers = (pattern: string): boolean => /^\/o\/:organization\/servers(?:$|\/)/.test(pattern);
const needsAccount = (pattern: string): boolean => /^\/(?:o\/|account$|authorize$|device$)/.test(pattern);

/** An Owner's pages in parts, so that no test takes long. Each page is in one. */
export const areas = {
  projects: isOfProjects,
  servers: isOfServers,
  others: (pattern: string): boolean => needsAccount(pattern) && !isOfProjects(pattern) && !isOfServers(pattern),
} as const;
