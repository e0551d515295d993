/**
 * The order of test files: projects one after the other, so that workers keep the code they have read, and the longest
 * files of each first, so that no core waits at the end for one long file.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { durationsFile } from './durations.ts';

/** Those with servers take longest; what is short comes last. */
const projects: readonly string[] = ['unit', 'soak', 'servers', 'process', 'browser'];

/** A file that was never measured is taken for one of the longer ones. */
const unmeasuredSeconds = 20;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known: Readonly<Record<string, number>> = JSON.parse(readFileSync(durationsFile, 'utf8'));
    const seconds = ({ moduleId }: TestSpecification): number =>
      known[basename(moduleId, '.test.ts')] ?? unmeasuredSeconds;
    const rank = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    // Unit tests are short: their order is nothing to their time.
    return [...files].sort((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? 0 : seconds(b) - seconds(a)));
  }
}
