/**
 * What a command changed, as tools answer it: every file by name, and a diff as far as there is room.
 *
 * Invariant: a file is left out of the diff only with its number said.
 */
import { renderPatch } from '../../overlay/patch.ts';
import type { Harvest } from '../../sandbox/harvest.ts';

/** Files named in an answer; the count beside them is always whole. */
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

/** Whole files as long as there is room; a first file that is too long is shown as far as it goes. */
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
