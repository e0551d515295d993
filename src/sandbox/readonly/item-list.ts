/**
 * Splits a list of names like xargs, and divides it among the commands that are started.
 *
 * Invariant: a list with quotes or backslashes, which xargs would interpret, is refused.
 */
import { boundary, type ShellBoundary } from '../../shell/boundary.ts';
import { type FanOut, listedNames } from '../../shell/reading/fan-out.ts';

/** The names for each started command. */
export function batchesOf(listed: Buffer, fanOut: FanOut): readonly (readonly string[])[] | ShellBoundary {
  const text = listed.toString('utf8');
  const groups =
    fanOut.from === 'input' && fanOut.counts === 'lines' ? lineGroups(text) : nameGroups(text, fanOut);
  if (groups === undefined) return boundary('operand', 0, 'the names contain quotes; separate them with NUL');
  if (groups.length === 0) {
    const runsEmpty = fanOut.from === 'input' && fanOut.runsEmpty && fanOut.mark === undefined;
    return runsEmpty ? [[]] : [];
  }
  const size = Math.max(1, fanOut.perCall ?? maxNames);
  return Array.from({ length: Math.ceil(groups.length / size) }, (_, index) =>
    groups.slice(index * size, (index + 1) * size).flat(),
  );
}

/** More names than this are given to a second command. */
const maxNames = 2000;

function nameGroups(text: string, fanOut: FanOut): readonly (readonly string[])[] | undefined {
  return listedNames(text, fanOut.from === 'find' ? 'nul' : fanOut.separator)?.map((name) => [name]);
}

/** The names of each line. A blank at the end of a line joins the next one to it. */
function lineGroups(text: string): readonly (readonly string[])[] | undefined {
  const lines = text.replace(/[ \t]\n/g, ' ').split('\n');
  const groups = lines.map((line) => listedNames(line, 'blank'));
  if (groups.includes(undefined)) return undefined;
  return groups.flatMap((group) => (group && group.length > 0 ? [group] : []));
}
