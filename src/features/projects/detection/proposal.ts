/** Something to set for the project, and why. */
export interface Proposal {
  value: string;
  reason: string;
}

/** A proposal for a list of paths. */
export interface PathsProposal {
  value: string[];
  reason: string;
}
