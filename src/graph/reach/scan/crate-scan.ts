import { baseName } from '../../../workspace/workspace-path.ts';
import { suffixOf } from '../reach-family.ts';
import { anySpecifier, type ImportScan } from './imports.ts';

/**
 * The files that a Rust source includes in its build, by their last names. Every source may see every other one, so
 * modules are not followed.
 *
 * Invariant: a file that a macro of the standard library includes is in `specifiers`, wherever the macro looks for it: its
 * name is in a string of the same source. A build script, and a macro that embeds whole directories, may read any file.
 */
export function scanCrate(path: string, text: string): ImportScan {
  if (suffixOf(path) !== 'rs') return { specifiers: [], isGlobal: false };
  if (baseName(path) === 'build.rs' || /embed|include_dir|include_flate/i.test(text)) {
    return { specifiers: [anySpecifier], isGlobal: true };
  }
  if (!/\binclude(?:_str|_bytes)?\b/.test(text)) return { specifiers: [], isGlobal: true };
  const named = [...text.matchAll(/"([^"\n]{1,300})"/g)].map(([, literal = '']) => lastName(literal));
  return { specifiers: [...new Set(named)], isGlobal: true };
}

function lastName(literal: string): string {
  return baseName(literal.replaceAll('\\', '/')).toLowerCase();
}
