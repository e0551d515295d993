/** Ends a `switch` over a union: a new member turns this call red at compile time. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`);
}
