/** Adminer is not updated in place: a newer one is installed as a new project. */
export const update = undefined;
