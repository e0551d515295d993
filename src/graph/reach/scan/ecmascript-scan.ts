import { baseName } from '../../../workspace/workspace-path.ts';
import { suffixOf } from '../reach-family.ts';
import { anySpecifier, type ImportScan } from './imports.ts';

/**
 * Imports of a TypeScript or JavaScript file, by pattern rather than by grammar.
 *
 * Invariant: in doubt a text is an import and a file is global; both only widen what is evaluated.
 */
export function scanEcmascript(path: string, text: string): ImportScan {
  const specifiers = new Set<string>();
  for (const match of text.matchAll(importPattern)) {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    // Prose in a comment ("taken from 'the old one'") is no specifier; a relative path may contain a blank.
    if (/^[./]/.test(specifier) || !/\s/.test(specifier)) add(specifiers, specifier);
  }
  if (text.includes('<reference')) {
    for (const match of text.matchAll(referencePattern)) {
      const target = match[3] ?? '';
      add(specifiers, match[1] === 'path' && !/^[./]/.test(target) ? `./${target}` : target);
    }
  }
  return { specifiers: [...specifiers], isGlobal: isGlobal(path, text) };
}

/** An escape inside a specifier is legal but very rare: such an import may mean anything. */
function add(specifiers: Set<string>, specifier: string): void {
  specifiers.add(specifier.includes('\\') ? anySpecifier : specifier);
}

function isGlobal(path: string, text: string): boolean {
  if (/^jsx-(?:dev-)?runtime\./.test(baseName(path))) return true;
  if (augmentsGlobals.test(text) || bringsGlobals.test(text)) return true;
  if (isModule(text)) return false;
  if (commonJsExtensions.has(suffixOf(path)) && commonJs.test(text)) return false;
  return text.trim() !== '';
}

/** Whether an import or export occurs outside comments and templates. */
function isModule(text: string): boolean {
  for (const match of text.matchAll(moduleMark)) {
    const before = text.slice(0, match.index + match[0].length);
    const inComment = before.lastIndexOf('/*') > before.lastIndexOf('*/');
    const inTemplate = (before.split('`').length - 1) % 2 === 1;
    if (!inComment && !inTemplate) return true;
  }
  return false;
}

/** Blanks and comments between two tokens; written so that no text can match in two ways. */
const gap = String.raw`(?:\s|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*\n)*`;

const importPattern = new RegExp(
  String.raw`\b(?:from${gap}|import${gap}(?:\(${gap})?|require${gap}\(${gap})` +
    `(?:'([^'\\n]+)'|"([^"\\n]+)"|\`([^\`\\n]+)\`)`,
  'g',
);

const referencePattern = /^\s*\/\/\/\s*<reference\s+(?:[^>\n]*?\s)?(path|types)\s*=\s*(['"])([^\n]+?)\2/gm;

const moduleMark = /(?:^|;|\*\/)[ \t]*(?:import\s*(?:[{*'"]|[\p{L}_$])|export\s*[{*=\p{L}@])/gmu;

const augmentsGlobals = /\bdeclare\s+(?:global|module)\b|\bglobal\s*\{|\bexport\s+as\s+namespace\b/;

/** A reference to a library's types makes its globals visible everywhere, even from inside a module. */
const bringsGlobals = /^\s*\/\/\/\s*<reference\s+[^>\n]*\b(?:types|lib|no-default-lib)\s*=/m;

const commonJs = /\brequire\s*\(|\bmodule\.exports\b|\bexports\s*[.[=]/;

const commonJsExtensions: ReadonlySet<string> = new Set(['js', 'jsx', 'cjs']);
