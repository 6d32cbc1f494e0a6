/** The command was typed wrong: nothing was sent. */
export class UsageError extends Error {}
