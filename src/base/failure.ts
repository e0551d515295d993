/**
 * What breaks a call. Every failure has a stable code for programs and a remedy for the reader, who is
 * as often an agent as a person.
 *
 * Invariant: a code never changes its meaning once published.
 */
export abstract class Failure extends Error {
  abstract readonly code: string;
  abstract readonly remedy: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The sentence of any thrown value, for an edge that must answer with text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
