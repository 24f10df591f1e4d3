export const core = true;
