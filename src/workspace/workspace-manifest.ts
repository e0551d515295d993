/**
 * Manifests that combine the projects of several directories: changes in one member can break another.
 *
 * Invariant: a manifest that cannot be parsed includes everything below it. A workspace that is too wide costs time;
 * one that is too narrow omits dependents.
 */

import { readFileSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { isUnreadable } from '../base/errno.ts';
import { fieldOf } from '../base/record.ts';

/** A kind of workspace, by which the directory that includes a path is found. */
export interface WorkspaceKind {
  /** The names of its manifest; `*.ext` stands for any name with that ending. */
  readonly manifests: readonly string[];
  /** Which directories the manifest includes; undefined if it is the manifest of a single project. */
  members(text: string): Promise<Membership | undefined> | Membership | undefined;
}

/** Patterns relative to the manifest's directory. */
export type Membership =
  | { readonly kind: 'all' }
  /** Only these, less the excluded ones. */
  | { readonly kind: 'listed'; readonly included: readonly string[]; readonly excluded: readonly string[] };

const everything: Membership = { kind: 'all' };

export const workspaceKinds: readonly WorkspaceKind[] = [
  { manifests: ['pnpm-workspace.yaml'], members: pnpmMembers },
  { manifests: ['package.json'], members: packageMembers },
  { manifests: ['go.work'], members: () => everything },
  { manifests: ['Cargo.toml'], members: cargoMembers },
  { manifests: ['pyproject.toml'], members: uvMembers },
  { manifests: ['settings.gradle', 'settings.gradle.kts'], members: () => everything },
  { manifests: ['*.sln', '*.slnx'], members: () => everything },
];

/** The text of a manifest; undefined if it cannot be read. A pipe or a device is not opened. */
export function manifestText(file: string): string | undefined {
  const maximumBytes = 2 ** 20;
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= maximumBytes ? readFileSync(file, 'utf8') : undefined;
  } catch (thrown) {
    if (isUnreadable(thrown)) return undefined;
    throw thrown;
  }
}

/** Whether the manifest in `root` includes a path whose directories up to `root` are given, innermost first. */
export async function binds(
  root: string,
  below: readonly string[],
  membership: Membership,
): Promise<boolean> {
  if (membership.kind === 'all' || below.length === 0) return true;
  const { default: picomatch } = await import('picomatch');
  const matcher = (patterns: readonly string[]) => picomatch(patterns.map(plainPattern), { dot: true });
  const isIncluded = matcher(membership.included);
  const isExcluded = membership.excluded.length > 0 ? matcher(membership.excluded) : () => false;
  return below
    .map((directory) => relative(root, directory).split(sep).join('/'))
    .some((path) => isIncluded(path) && !isExcluded(path));
}

function plainPattern(pattern: string): string {
  return pattern.replace(/^\.\//, '').replace(/\/+$/, '');
}

async function pnpmMembers(text: string): Promise<Membership> {
  const { parse } = await import('yaml');
  const packages = stringsAt(
    readOr(() => parse(text)),
    'packages',
  );
  return packages === undefined ? everything : patternsOf(packages);
}

/** npm, Yarn and Bun: a list, or an object with the list under `packages`. */
function packageMembers(text: string): Membership | undefined {
  const manifest = readOr(() => JSON.parse(text));
  if (manifest === unreadable) return text.includes('"workspaces"') ? everything : undefined;
  const patterns =
    stringsAt(manifest, 'workspaces') ?? stringsAt(fieldOf(manifest, 'workspaces'), 'packages');
  return patterns && patternsOf(patterns);
}

/** Cargo treats every package below a workspace as a member unless it is excluded. */
async function cargoMembers(text: string): Promise<Membership | undefined> {
  const manifest = await tomlOf(text);
  if (manifest === unreadable) return /^\s*\[workspace\b/m.test(text) ? everything : undefined;
  const workspace = fieldOf(manifest, 'workspace');
  if (workspace === undefined) return undefined;
  const excluded = (stringsAt(workspace, 'exclude') ?? []).map(plainPattern);
  const members = new Set((stringsAt(workspace, 'members') ?? []).map(plainPattern));
  return {
    kind: 'listed',
    included: ['**'],
    excluded: excluded.filter((path) => !members.has(path)).flatMap((path) => [path, `${path}/**`]),
  };
}

async function uvMembers(text: string): Promise<Membership | undefined> {
  const manifest = await tomlOf(text);
  if (manifest === unreadable) return text.includes('[tool.uv.workspace]') ? everything : undefined;
  const workspace = fieldOf(fieldOf(fieldOf(manifest, 'tool'), 'uv'), 'workspace');
  if (workspace === undefined) return undefined;
  const included = stringsAt(workspace, 'members') ?? [];
  return { kind: 'listed', included, excluded: stringsAt(workspace, 'exclude') ?? [] };
}

function patternsOf(patterns: readonly string[]): Membership {
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return { kind: 'listed', included: patterns.filter((pattern) => !pattern.startsWith('!')), excluded };
}

const unreadable = Symbol('unreadable');

/** `unreadable` on any error: the three parsers throw errors of their own. */
function readOr(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return unreadable;
  }
}

async function tomlOf(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  return readOr(() => parse(text));
}

function stringsAt(value: unknown, name: string): readonly string[] | undefined {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field.filter((each) => typeof each === 'string') : undefined;
}
