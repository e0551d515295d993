/**
 * Reads an audit log.
 *
 * Invariant: a line that is not a record is counted, never guessed at; rotated files are read before the current one.
 */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type JsonLine, parseLine } from './json-line.ts';

/** Every record, oldest first; `undefined` stands for an unreadable line. */
export async function* readAudit(path: string): AsyncGenerator<JsonLine | undefined> {
  for (const file of await filesOf(path)) {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
      if (line !== '') yield parseLine(line);
    }
  }
}

/** The current file and the rotated ones, oldest first; empty if nothing was ever recorded. */
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
