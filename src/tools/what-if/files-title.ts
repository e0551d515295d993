/** The title of a change that nobody named: its files. */
import { counted } from '../../text/counted-noun.ts';

export function filesTitle(paths: readonly string[]): string {
  const [first = 'nothing', ...others] = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return others.length === 0
    ? `Change ${first}`
    : `Change ${first} and ${counted(others.length, 'file')} more`;
}
