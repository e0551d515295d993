/**
 * Reading an audit log back.
 *
 * Invariant: a line that is not a record is counted, never guessed at; files put aside are read before the current one.
 */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type JsonLine, parseLine } from './json-line.ts';

/** Every record, oldest first; `undefined` stands for a line that could not be read. */
export async function* readAudit(path: string): AsyncGenerator<JsonLine | undefined> {
  for (const file of await filesOf(path)) {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
      if (line !== '') yield parseLine(line);
    }
  }
}

/** The current file and those put aside, oldest first; none where nothing was ever recorded. */
async function filesOf(path: string): Promise<readonly string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  const name = basename(path);
  const ages = names.flatMap((candidate) => {
    if (candidate === name) return [0];
    const age = candidate.startsWith(`${name}.`) ? candidate.slice(name.length + 1) : '';
    return /^\d+$/.test(age) ? [Number(age)] : [];
  });
  return ages.sort((a, b) => b - a).map((age) => join(dirname(path), age === 0 ? name : `${name}.${age}`));
}
