/**
 * The files that a command gets for `<(…)`: the output of each script, as an open descriptor.
 *
 * Invariant: a file has no name any more when a command can read it, and it is closed when that command has ended.
 */
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The descriptor of the first file of a command, as in bash; the others follow downwards. */
const firstDescriptor = 63;

/** The name under which a command opens its file number `index`. */
export function providedPath(index: number): string {
  return `/dev/fd/${firstDescriptor - index}`;
}

export interface OpenFiles extends AsyncDisposable {
  /** Our descriptors, by their number in the command. */
  readonly descriptors: ReadonlyMap<number, number>;
}

export async function openFiles(contents: readonly Buffer[]): Promise<OpenFiles> {
  const handles = await Promise.all(contents.map(openContent));
  return {
    descriptors: new Map(handles.map(({ fd }, index) => [firstDescriptor - index, fd])),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(handles.map((handle) => handle.close()));
    },
  };
}

async function openContent(content: Buffer): ReturnType<typeof open> {
  const directory = await mkdtemp(join(tmpdir(), 'forerun-output-'));
  try {
    const file = join(directory, 'output');
    await writeFile(file, content, { mode: 0o600 });
    return await open(file, 'r');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
