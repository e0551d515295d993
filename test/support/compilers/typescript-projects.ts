/**
 * Which projects of a TypeScript workspace count.
 *
 * Invariant: they are the references of the root tsconfig.json, transitively, every other tsconfig.json that git does not
 * ignore, or jsconfig.json where none is beside it, and those that scripts of manifests name by `-p`; a project without
 * files of its own only leads on.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import ts from 'typescript';
import { type Sources, sourcesIn } from '../changes/sources.ts';

export interface TypeScriptProject {
  /** The path of its configuration, relative to the workspace. */
  readonly config: string;
  readonly references: readonly string[];
  readonly isComposite: boolean;
  readonly isIncremental: boolean;
  readonly makesDeclarations: boolean;
}

export function typescriptProjects(root: string): readonly TypeScriptProject[] {
  const sources = sourcesIn(root);
  const queue = [
    'tsconfig.json',
    ...sources.paths.filter((path) => isDefaultConfig(path, sources)),
    ...sources.paths
      .filter((path) => posix.basename(path) === 'package.json')
      .flatMap((path) => configsNamedIn(path, sources.text(path) ?? '')),
  ];
  const found = new Map<string, TypeScriptProject | undefined>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (found.has(next)) continue;
    const project = readProject(root, next);
    found.set(next, project?.isSolution ? undefined : project);
    queue.push(...(project?.references ?? []));
  }
  return [...found.values()].flatMap((project) => project ?? []);
}

/** Editors look for these two names, in this order. */
function isDefaultConfig(path: string, sources: Sources): boolean {
  const name = posix.basename(path);
  const beside = posix.join(posix.dirname(path), 'tsconfig.json');
  return name === 'tsconfig.json' || (name === 'jsconfig.json' && sources.text(beside) === undefined);
}

/** Configurations that scripts of a manifest hand to the compiler. */
function configsNamedIn(path: string, text: string): readonly string[] {
  const scripts: unknown = parseJson(text)?.scripts;
  if (typeof scripts !== 'object' || scripts === null) return [];
  return Object.values(scripts).flatMap((script) => {
    if (typeof script !== 'string') return [];
    const named = [...script.matchAll(/\btsc\b[^&|;]*?\s(?:-p|--project)[\s=]+(['"]?)([^\s'"&|;]+)\1/g)];
    return named.map(([, , config = '']) => {
      const at = posix.normalize(posix.join(posix.dirname(path), config));
      return at.endsWith('.json') ? at : posix.join(at, 'tsconfig.json');
    });
  });
}

function readProject(
  root: string,
  config: string,
): (TypeScriptProject & { readonly isSolution: boolean }) | undefined {
  const file = join(root, config);
  const text = textOf(file);
  if (text === undefined) return undefined;
  const { config: json } = ts.parseConfigFileTextToJson(file, text);
  const read = ts.parseJsonConfigFileContent(json ?? {}, ts.sys, dirname(file), undefined, file);
  const references = (read.projectReferences ?? []).map((reference) =>
    relative(root, ts.resolveProjectReferencePath(reference)),
  );
  const { composite, incremental, declaration } = read.options;
  return {
    config,
    references,
    isComposite: composite === true,
    isIncremental: incremental === true,
    makesDeclarations: declaration === true || composite === true,
    isSolution: read.fileNames.length === 0 && references.length > 0,
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    // A script may name a configuration that a build writes first.
    if (thrown instanceof Error && 'code' in thrown) return undefined;
    throw thrown;
  }
}
