/**
 * Prevents a package manager from running if a file of the workspace would make it run another program.
 *
 * Invariant: every directory from the command's directory up to the workspace root is checked. npm settings are
 * checked against an allow list.
 */
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { boundary, type ShellBoundary } from '../../shell/boundary.ts';
import type { AllowedCommand } from '../../shell/command/command-rule.ts';
import type { ShellWord } from '../../shell/syntax/shell-list.ts';
import type { CommandWorld } from './command-world.ts';
import { containsPath } from './program.ts';

interface ConfigurationRequest {
  readonly name: ShellWord;
  readonly verdict: AllowedCommand;
  readonly program: string;
  readonly world: CommandWorld;
  readonly cwd: string;
}

export async function refuseConfiguration(request: ConfigurationRequest): Promise<ShellBoundary | undefined> {
  const { name, program, world, cwd } = request;
  const refuse = (file: string): ShellBoundary =>
    boundary('workspace-program', name.at, `${file} may name a program that ${name.text} would run`);
  for (const directory of directoriesUp(cwd, world.root)) {
    const file = await refusedFile(directory, request);
    if (file !== undefined) return refuse(file);
  }
  const isManager = name.text === 'yarn' || name.text === 'pnpm';
  // It would download and run the version that the workspace requests.
  if (isManager && (await realpath(program)).includes('corepack')) return refuse('package.json');
  return undefined;
}

/** The first file of a directory that may name a program. */
async function refusedFile(
  directory: string,
  { name, verdict, world }: ConfigurationRequest,
): Promise<string | undefined> {
  for (const file of verdict.unless ?? []) {
    const path = join(directory, file);
    const isThere = (await world.view.readText(path)) !== undefined || (await world.view.isDirectory(path));
    if (isThere) return file;
  }
  if (name.text !== 'npm' && name.text !== 'pnpm') return undefined;
  const settings = await world.view.readText(join(directory, '.npmrc'));
  return settings === undefined || settings.split('\n').every(isInertSetting) ? undefined : '.npmrc';
}

function directoriesUp(from: string, root: string): readonly string[] {
  if (!containsPath(root, from)) return [from];
  return from === root ? [from] : [from, ...directoriesUp(dirname(from), root)];
}

const inertSettings: ReadonlySet<string> = new Set(
  `registry save-exact save-prefix engine-strict fund audit package-lock legacy-peer-deps strict-ssl progress loglevel
  always-auth color tag-version-prefix access auto-install-peers shamefully-hoist node-linker hoist strict-peer-dependencies
  link-workspace-packages prefer-workspace-packages public-hoist-pattern[] save-workspace-protocol hoist-pattern[]
  resolution-mode prefer-frozen-lockfile lockfile install-links maxsockets fetch-retries ignore-scripts
  enable-pre-post-scripts min-release-age minimum-release-age`.split(/\s+/),
);

function isInertSetting(line: string): boolean {
  const trimmed = line.trim();
  if (trimmed === '' || /^[#;]/.test(trimmed)) return true;
  const key = trimmed.split('=')[0]?.trim() ?? '';
  return (
    inertSettings.has(key) ||
    /^@[\w.-]+:registry$/.test(key) ||
    /^\/\/[^\s]+:(_authToken|_auth|username|_password|email|always-auth)$/.test(key)
  );
}
