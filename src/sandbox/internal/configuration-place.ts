/**
 * The system configuration inside a confined root.
 *
 * Invariant: of /etc only the entries named here exist, and only world-readable ones.
 */
import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gitConfigText, groupText, insideHome, passwdText } from './home-place.ts';
import type { SandboxPlace } from './place.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Entries of /etc that are copied. */
export async function copiedConfiguration(): Promise<readonly string[]> {
  const names = await readdir('/etc').catch(() => []);
  return names.filter((name) => copied.test(name));
}

/** Parts of the copied entries that may contain keys or passwords. */
export const removedConfiguration: readonly string[] = [
  'ssl/private',
  'pki/private',
  'pki/tls/private',
  'pki/nssdb',
  'maven/settings.xml',
  'java/security/keys',
];

const copied = new RegExp(
  `^(?:${[
    'alternatives|ca-certificates(?:\\.conf)?|crypto-policies|pki|ssl|static',
    'debian_version|os-release|\\w+-release',
    'fonts|terminfo|inputrc|locale\\.(?:alias|conf)|localtime|timezone|magic(?:\\.mime)?|mime\\.types',
    'host\\.conf|gai\\.conf|networks|protocols|rpc|services|ethertypes|shells',
    'ld\\.so\\.(?:cache|conf|conf\\.d)|ld-musl-\\w+\\.path',
    'java(?:-\\d+.*)?|jvm.*|maven|ant|perl|python[\\d.]*|ghc.*|ocaml.*|R',
  ].join('|')})$`,
);

/** Files that are generated: the real ones name users, hosts and services. */
export function writtenConfiguration(env: Environment): readonly SandboxPlace[] {
  const files: Readonly<Record<string, string>> = {
    '/etc/passwd': passwdText(env),
    '/etc/group': groupText(),
    '/etc/nsswitch.conf':
      'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: files\n',
    '/etc/hosts': `127.0.0.1 localhost ${hostname()}\n::1 localhost\n`,
    '/etc/hostname': `${hostname()}\n`,
    '/etc/resolv.conf': '',
    [join(insideHome(env), '.gitconfig')]: gitConfigText(env),
  };
  return Object.entries(files).map(([path, text]) => ({ kind: 'text', path, text }));
}
