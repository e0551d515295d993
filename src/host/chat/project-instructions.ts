/** The instructions of a project for agents. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';

const instructionFiles = ['AGENTS.md', 'CLAUDE.md'] as const;
const longestInstructions = 32_000;

/** The first of the files that exists; undefined if none does. */
export async function instructionsIn(root: string): Promise<string | undefined> {
  for (const name of instructionFiles) {
    try {
      return (await readFile(join(root, name), 'utf8')).slice(0, longestInstructions);
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
  }
  return undefined;
}
