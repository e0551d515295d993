import { unreachable } from '../../base/unreachable.ts';
import type { ReachFamily } from './reach-family.ts';
import { scanC } from './scan/c-scan.ts';
import { scanCrate } from './scan/crate-scan.ts';
import { scanEcmascript } from './scan/ecmascript-scan.ts';
import { scanGo } from './scan/go-scan.ts';
import type { ImportScan } from './scan/imports.ts';
import { scanPython } from './scan/python-scan.ts';

/**
 * The imports of `text`, by the patterns of its family; the path distinguishes a script from a module.
 *
 * Invariant: no parser runs and nothing is resolved, so a scan costs about as much as reading the file.
 */
export function scanImports(family: ReachFamily, path: string, text: string): ImportScan {
  switch (family) {
    case 'ecmascript':
      return scanEcmascript(path, text);
    case 'python':
      return scanPython(path, text);
    case 'go':
      return scanGo(text);
    case 'c':
      return scanC(text);
    case 'crate':
      return scanCrate(path, text);
    case 'all':
      return { specifiers: [], isGlobal: true };
    default:
      return unreachable(family);
  }
}
