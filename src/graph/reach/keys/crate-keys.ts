import { baseName, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import { suffixOf } from '../reach-family.ts';
import type { ReachKeys } from './reach-keys.ts';

/**
 * Keys of the files that Rust sources include: `i:` the last name of the file. Sources see one another without a key.
 *
 * Invariant: no source has a key, so that edits of code are not followed twice.
 */
export class CrateKeys implements ReachKeys {
  *importKeys(_from: WorkspacePath, specifiers: readonly string[]): Iterable<string> {
    for (const specifier of specifiers) yield `i:${specifier}`;
  }

  *fileKeys(path: WorkspacePath): Iterable<string> {
    if (suffixOf(path) !== 'rs') yield `i:${baseName(path).toLowerCase()}`;
  }

  configure(): void {}

  doubt(): undefined {}
}
