/**
 * The end of a text, where runs say how they went.
 *
 * Invariant: what is left out is said, and neither a line nor a character is cut in half where that can be helped.
 */
export function lastOf(text: string, maxBytes: number): { readonly text: string; readonly isCut: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, isCut: false };
  let from = bytes.length - Math.max(0, Math.floor(maxBytes));
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  const line = bytes.indexOf('\n', from);
  // A single line longer than the room is better shown in part than not at all.
  if (line >= 0 && line + 1 < bytes.length) from = line + 1;
  return { text: `… ${from} bytes left out …\n${bytes.subarray(from).toString()}`, isCut: true };
}
