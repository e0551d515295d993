import type { ImportScan } from './imports.ts';

/** Marks a file that embeds others, whatever its pattern. */
export const embedSpecifier = '//go:embed';

/**
 * Imports of a Go file. The files of its own package need no import and are found by directory.
 *
 * Invariant: a string inside an import block counts even where a comment disables it.
 */
export function scanGo(text: string): ImportScan {
  const specifiers = new Set<string>();
  for (const match of text.matchAll(importPattern)) {
    for (const quoted of (match[1] ?? '').matchAll(/"([^"\n]+)"|`([^`\n]+)`/g)) {
      specifiers.add(quoted[1] ?? quoted[2] ?? '');
    }
  }
  if (text.includes(embedSpecifier)) specifiers.add(embedSpecifier);
  return { specifiers: [...specifiers], isGlobal: false };
}

const importPattern =
  /(?:^|;)[ \t]*import\b\s*(\((?:\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|"[^"\n]*"|`[^`]*`|[^)"`/])*\)|[^\n]*)/gm;
