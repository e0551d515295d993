/**
 * A text that names a symbol, so that a server can be asked about a symbol that no file uses.
 *
 * The text exists only in an overlay on a file and is never saved; the server resolves the name there as for a user
 * who typed it.
 *
 * Invariant: every line of a probe ends with its symbol followed by a closing that is not part of it.
 */

import { LineIndex, type Position } from '../text/position.ts';

export interface HoverProbe {
  readonly text: string;
  /** The positions to ask at, best first: the last character of the symbol in each line. */
  readonly positions: readonly Position[];
}

/** Undefined for a language without probes, and for text that is not a name in it. */
export function hoverProbe(language: string, symbol: string, base: string): HoverProbe | undefined {
  const lines = probeLines(language, symbol);
  if (!lines) return undefined;
  const separator = base === '' || base.endsWith('\n') ? '' : '\n';
  const text = base + separator + lines.map(({ before, after }) => `${before}${after}\n`).join('');
  const first = new LineIndex(base + separator).lineCount - 1;
  const positions = lines.map(({ before }, at) => ({ line: first + at, character: before.length - 1 }));
  return { text, positions };
}

interface ProbeLine {
  /** Ends with the symbol. */
  readonly before: string;
  readonly after: string;
}

function probeLines(language: string, symbol: string): readonly ProbeLine[] | undefined {
  switch (language) {
    case 'typescript':
      return ecmascriptLines(symbol, 'typed');
    case 'javascript':
      return ecmascriptLines(symbol, 'untyped');
    case 'python':
      return pythonLines(symbol);
    case 'rust':
      return rustLines(symbol);
    default:
      return undefined;
  }
}

/** A value or type in scope, then the same in a module with the name before the first dot. */
function ecmascriptLines(symbol: string, types: 'typed' | 'untyped'): readonly ProbeLine[] | undefined {
  const module = /^((?:@[\w.-]+\/)?[\w-]+(?:\/[\w-]+)*)\.([\w$.]+)$/.exec(symbol);
  const isName = /^[\w$]+(\.[\w$]+)*$/.test(symbol);
  if (!module && !isName) return undefined;
  const named = (name: string, lead = ''): readonly ProbeLine[] => [
    { before: `${lead}void (${name}`, after: ');' },
    ...(types === 'typed' ? [{ before: `type ${alias}T = ${name}`, after: ';' }] : []),
  ];
  const [, from = '', rest = ''] = module ?? [];
  return [
    ...(isName ? named(symbol) : []),
    ...(module ? named(`${alias}.${rest}`, `import * as ${alias} from '${from}'; `) : []),
  ];
}

/**
 * The name in scope, then with an import of each module that its prefix could name. Each import has its own scope: a
 * failing one would hide the name from the others.
 */
function pythonLines(symbol: string): readonly ProbeLine[] | undefined {
  if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(symbol)) return undefined;
  const parts = symbol.split('.');
  const modules = parts.map((_, at) => parts.slice(0, parts.length - at).join('.')).slice(1);
  return [
    { before: symbol, after: '' },
    ...modules.map((module) => ({ before: `def ${alias}(): import ${module}; ${symbol}`, after: '' })),
    { before: `def ${alias}(): import ${symbol}`, after: '' },
  ];
}

function rustLines(symbol: string): readonly ProbeLine[] | undefined {
  const path = symbol.replaceAll('.', '::');
  return /^\w+(::\w+)*$/.test(path) ? [{ before: `use ${path}`, after: ' as _;' }] : undefined;
}

const alias = '__forerun';
