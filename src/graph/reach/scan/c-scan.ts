import { anySpecifier, type ImportScan } from './imports.ts';

/**
 * Includes of a C or C++ file. `__has_include` counts too: its result changes once the file exists.
 *
 * Invariant: an include spelled by a macro may mean any file; a module interface has a name that no path shows, so it
 * is global.
 */
export function scanC(text: string): ImportScan {
  const specifiers = new Set<string>();
  for (const match of text.matchAll(includePattern)) {
    specifiers.add(match[1] ?? match[2] ?? anySpecifier);
  }
  if (text.includes('__has_')) {
    for (const match of text.matchAll(probePattern)) specifiers.add(match[1] ?? anySpecifier);
  }
  return { specifiers: [...specifiers], isGlobal: /^[ \t]*(?:export[ \t]+)?module\b[^\n]*;/m.test(text) };
}

const includePattern =
  /^[ \t]*(?:#|%:)[ \t]*(?:include_next|include|import|embed)\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|\S)/gm;

const probePattern = /\b__has_(?:include(?:_next)?|embed)\s*\(\s*(?:["<]([^">\n]+)[">])?/g;
