/** Lists what was not used because a workspace is not trusted. */
import { untrustedNote } from '../../servers/server-detection.ts';
import type { Withheld } from '../../servers/server-location.ts';

/** Empty if nothing was withheld. */
export function untrustedLines(root: string, withheld: readonly Withheld[]): readonly string[] {
  const { untrusted } = untrustedNote(root, withheld);
  if (untrusted === undefined) return [];
  const lines = untrusted.not_used.map((path) => `not used: ${path}, because the workspace is not trusted`);
  return [...lines, untrusted.how_to_trust];
}
