/** The variables of the environment of a command. */
export type Environment = Readonly<Partial<Record<string, string>>>
