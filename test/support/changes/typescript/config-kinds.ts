/** Changes of what is read beside the sources: tsconfig files, manifests, other JSON, prose. */
import { applyEdits, modify, parse as parseJson } from 'jsonc-parser';
import type { SeededRandom } from '../../seeded-random.ts';
import type { Change, ChangeKind } from '../change.ts';
import { drawOne, drawPath, type Sources } from '../sources.ts';

export const configKinds: readonly ChangeKind[] = [
  { name: 'config-flag', draw: configFlag },
  { name: 'config-include', draw: configInclude },
  { name: 'config-paths', draw: configPaths },
  { name: 'config-invalid', draw: configInvalid },
  { name: 'manifest-harmless', draw: manifest(['description'], 'another description') },
  { name: 'manifest-type', draw: manifestType },
  { name: 'manifest-entry', draw: manifestEntry },
  { name: 'json-cut', draw: cutJson },
  { name: 'prose', draw: prose },
];

const config = /(^|\/)tsconfig[^/]*\.json$/;
const manifestFile = /(^|\/)package\.json$/;

const flags = [
  'strict',
  'noUnusedLocals',
  'noUnusedParameters',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'noImplicitReturns',
  'noPropertyAccessFromIndexSignature',
  'skipLibCheck',
  'isolatedModules',
];

function configFlag(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, config);
  const flag = drawOne(flags, random);
  if (path === undefined || flag === undefined) return undefined;
  const held: unknown = parseJson(sources.text(path) ?? '')?.compilerOptions?.[flag];
  return jsonChange(sources, path, ['compilerOptions', flag], held !== true);
}

function configInclude(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, config);
  if (path === undefined) return undefined;
  const held: unknown = parseJson(sources.text(path) ?? '')?.include;
  const isList = Array.isArray(held) && held.length > 1;
  const include = isList ? held.slice(0, -1) : ['directory-that-does-not-exist/**/*'];
  return jsonChange(sources, path, ['include'], include);
}

function configPaths(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, config);
  if (path === undefined) return undefined;
  const held: unknown = parseJson(sources.text(path) ?? '')?.compilerOptions?.paths;
  const [first] = Object.keys(typeof held === 'object' && held !== null ? held : {});
  if (first === undefined)
    return jsonChange(sources, path, ['compilerOptions', 'paths'], { 'alias/*': ['./*'] });
  return jsonChange(sources, path, ['compilerOptions', 'paths', first], ['./nowhere/*']);
}

function configInvalid(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, config);
  const wrong = drawOne(
    [
      ['optionThatDoesNotExist', true],
      ['module', 'esnex'],
      ['types', ['types-that-do-not-exist']],
      ['strict', 'yes'],
    ] as const,
    random,
  );
  return path === undefined || !wrong
    ? undefined
    : jsonChange(sources, path, ['compilerOptions', wrong[0]], wrong[1]);
}

function manifest(at: readonly string[], value: unknown): ChangeKind['draw'] {
  return (sources, random) => {
    const path = drawPath(sources, random, manifestFile);
    return path === undefined ? undefined : jsonChange(sources, path, at, value);
  };
}

function manifestType(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, manifestFile);
  if (path === undefined) return undefined;
  const held: unknown = parseJson(sources.text(path) ?? '')?.type;
  return jsonChange(sources, path, ['type'], held === 'module' ? 'commonjs' : 'module');
}

function manifestEntry(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, manifestFile);
  if (path === undefined) return undefined;
  const held: unknown = parseJson(sources.text(path) ?? '');
  const keys = Object.keys(typeof held === 'object' && held !== null ? held : {});
  const key = drawOne(
    keys.filter((each) => ['exports', 'types', 'typings', 'main', 'imports', 'module'].includes(each)),
    random,
  );
  if (key === undefined) return undefined;
  return jsonChange(sources, path, [key], key === 'imports' ? {} : './nowhere.js');
}

function cutJson(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, /\.json$/);
  const text = path === undefined ? undefined : sources.text(path);
  if (path === undefined || text === undefined || text.length < 20) return undefined;
  const after = text.slice(0, Math.floor(text.length / 2));
  return { kind: '', sentence: `cuts ${path} in half`, files: [{ path, after }] };
}

function prose(sources: Sources, random: SeededRandom): Change | undefined {
  const path = drawPath(sources, random, /\.md$/);
  if (path === undefined) return undefined;
  const after = `${sources.text(path)}\nOne more sentence.\n`;
  return { kind: '', sentence: `adds a sentence to ${path}`, files: [{ path, after }] };
}

function jsonChange(
  sources: Sources,
  path: string,
  at: readonly string[],
  value: unknown,
): Change | undefined {
  const text = sources.text(path) ?? '';
  const edits = modify(text, [...at], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  const sentence = `${path}: sets ${at.join('.')} to ${JSON.stringify(value)}`;
  return { kind: '', sentence, files: [{ path, after: applyEdits(text, edits) }] };
}
