/** The variables of a process, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;
