import colors from "picocolors";

/** Of cli-table3, which would also color what is not a terminal. */
export const tableStyle = { compact: true, head: [], border: colors.isColorSupported ? ["dim"] : [] };
