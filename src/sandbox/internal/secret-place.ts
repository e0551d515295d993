/** Files with secrets that no command needs. */
import { isAbsolute, join } from 'node:path';
import { cacheDirectory, stateDirectory } from '../../storage/user-directories.ts';

/** Relative to a home directory: keys, tokens, histories and similar files. */
export const secretNames: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.oci',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.config/op',
  '.config/rclone',
  '.config/git/credentials',
  '.config/pip/pip.conf',
  '.config/pypoetry/auth.toml',
  '.config/configstore',
  '.config/google-chrome',
  '.config/chromium',
  '.mozilla',
  '.thunderbird',
  '.local/share/keyrings',
  '.password-store',
  '.docker',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.git-credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/NuGet',
  '.terraform.d',
  '.terraformrc',
  '.vault-token',
  '.pgpass',
  '.my.cnf',
  '.s3cfg',
  '.boto',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.bash_history',
  '.zsh_history',
  '.psql_history',
  '.python_history',
  '.node_repl_history',
];

/** Variables that name a file or directory of secrets. */
const secretVariables: readonly string[] = [
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AZURE_CONFIG_DIR',
  'CLOUDSDK_CONFIG',
  'DOCKER_CONFIG',
  'GNUPGHOME',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'KUBECONFIG',
  'NETRC',
  'NPM_CONFIG_USERCONFIG',
  'PGPASSFILE',
];

/** All secrets that must be hidden in a workspace that is or contains a home directory. */
export function secretPlaces(
  env: Readonly<Record<string, string | undefined>>,
  homes: readonly string[],
): readonly string[] {
  const named = secretVariables.flatMap((name) =>
    (env[name] ?? '').split(':').filter((path) => isAbsolute(path)),
  );
  const own = [stateDirectory(env), cacheDirectory(env)];
  return [...homes.flatMap((home) => secretNames.map((name) => join(home, name))), ...named, ...own];
}
