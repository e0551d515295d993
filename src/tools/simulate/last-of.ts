/**
 * The end of a text, where commands print their results.
 *
 * Invariant: the omitted length is given, and lines and characters are not split if avoidable.
 */
export function lastOf(text: string, maxBytes: number): { readonly text: string; readonly isCut: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, isCut: false };
  let from = bytes.length - Math.max(0, Math.floor(maxBytes));
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  const line = bytes.indexOf('\n', from);
  // A single line that is too long is shown in part.
  if (line >= 0 && line + 1 < bytes.length) from = line + 1;
  return { text: `… ${from} bytes left out …\n${bytes.subarray(from).toString()}`, isCut: true };
}
