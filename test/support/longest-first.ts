/**
 * The order of test files: unit tests, and then the longest files first, so that no core waits at the end for one long
 * file.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { durationsFile } from './durations.ts';

/** A file that was never measured is taken for one of the longer ones. */
const unmeasuredSeconds = 20;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known: Readonly<Record<string, number>> = JSON.parse(readFileSync(durationsFile, 'utf8'));
    const seconds = ({ moduleId }: TestSpecification): number =>
      known[basename(moduleId, '.test.ts')] ?? unmeasuredSeconds;
    // Unit tests are short: their order is nothing to their time.
    const isUnit = ({ project }: TestSpecification): boolean => project.name === 'unit';
    const others = files.filter((file) => !isUnit(file));
    return [...files.filter(isUnit), ...others.sort((a, b) => seconds(b) - seconds(a))];
  }
}
