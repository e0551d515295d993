/**
 * The output of a run, shortened to its beginning and end.
 *
 * Invariant: no character is split.
 */
export interface RawOutput {
  readonly raw: string;
  readonly raw_truncated: boolean;
}

const keptBytes = 64 * 1024;

export function rawOutput(text: string, limit: number = keptBytes): RawOutput {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return { raw: text, raw_truncated: false };
  const half = Math.floor(limit / 2);
  const head = bytes.subarray(0, startOfCharacter(bytes, half));
  const tail = bytes.subarray(startOfCharacter(bytes, bytes.length - half));
  const left = bytes.length - head.length - tail.length;
  // The characters at the cut may be all there was between the two parts.
  if (left <= 0) return { raw: text, raw_truncated: false };
  return { raw: `${head}\n… ${left} bytes left out …\n${tail}`, raw_truncated: true };
}

/** The first start of a character at or after `offset`; continuation bytes are skipped. */
function startOfCharacter(bytes: Uint8Array, offset: number): number {
  let at = offset;
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
