export const files = true;
