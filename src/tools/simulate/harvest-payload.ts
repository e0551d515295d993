/**
 * The changes of a command in tool answers: every file by name, and a diff of limited length.
 *
 * Invariant: the number of files omitted from the diff is always given.
 */
import { renderPatch } from '../../overlay/patch.ts';
import type { Harvest } from '../../sandbox/harvest.ts';

/** Maximum number of file names in an answer; the count is always complete. */
const namedFiles = 200;

export async function harvestPayload(
  harvest: Harvest,
  diffBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  const changes = await harvest.made.changes();
  const { repository, leftOut } = harvest;
  return {
    changes: {
      count: changes.length,
      files: changes.slice(0, namedFiles).map(({ path, kind, from }) => ({
        path,
        kind,
        ...(from !== undefined && { from }),
      })),
      ...(changes.length > 0 && diffPayload(await renderPatch(harvest.made), diffBytes)),
    },
    ...(repository.length > 0 && { repository_changes: repository }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
  };
}

/** Whole files as long as they fit; if the first file is too long, its beginning. */
function diffPayload(patch: string, maxBytes: number): Readonly<Record<string, unknown>> {
  const files = patch.split(/^(?=diff --git )/m).filter((part) => part !== '');
  const shown: string[] = [];
  let room = maxBytes;
  for (const file of files) {
    room -= Buffer.byteLength(file);
    if (room < 0) break;
    shown.push(file);
  }
  if (shown.length === files.length) return { diff: patch };
  const first = shown.length === 0 ? beginningOf(files[0] ?? '', maxBytes) : '';
  return { diff: shown.join('') + first, diff_left_out_files: files.length - shown.length };
}

function beginningOf(text: string, maxBytes: number): string {
  const lines = Buffer.from(text).subarray(0, Math.max(0, maxBytes)).toString().split('\n');
  return lines.slice(0, -1).join('\n');
}
