/**
 * Writes `THIRD-PARTY-NOTICES.md` beside the bundles: the licences of the packages whose code is in them.
 *
 * Invariant: a package in a bundle without a licence text fails the build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'tsdown';

export function thirdPartyNotices(): Rolldown.Plugin {
  return {
    name: 'third-party-notices',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' && output.fileName.endsWith('.js') ? output.moduleIds : [],
      );
      const directories = new Set(modules.flatMap((id) => packageDirectory(id) ?? []));
      if (directories.size === 0) return;
      const notices = [...directories].map(notice).sort();
      const source = ['# Licences of bundled packages', ...new Set(notices), ''].join('\n\n');
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.md', source });
    },
  };
}

/** The directory of the package that a module belongs to; undefined for a module of our own. */
export function packageDirectory(moduleId: string): string | undefined {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId)?.[1];
}

function notice(directory: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return `## ${name} ${version} (${license})\n\n${licenceText(directory, name)}`;
}

function licenceText(directory: string, name: string): string {
  const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return readFileSync(join(directory, file), 'utf8').trim();
  throw new Error(`${name} is bundled, and has no licence text in ${directory}`);
}
