/**
 * The complete environment of a command: language and time zone of the caller, a fixed search path, and settings that
 * restrict certain programs.
 *
 * Invariant: no other variable of the caller reaches a command. Without HOME, programs read and store no settings
 * there; package managers, which would look up the home directory elsewhere, get one in which nothing can be created.
 */
import { inertGitEnvironment } from '../../process/git-command.ts';
import { packageCommands } from '../../shell/table/package-commands.ts';
import { fixedPath, reportedPath } from './program.ts';

export interface CallerEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly root: string;
}

export function environmentOf(name: string, { env, root }: CallerEnvironment): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(([key]) => /^(LANG|LANGUAGE|TZ|LC_[A-Z]+)$/.test(key));
  const path = name === 'which' ? reportedPath(env, root) : fixedPath(root);
  const home = packageCommands.has(name) ? closedHome : {};
  return { ...Object.fromEntries(passed), ...toolchainSettings, ...home, PATH: path };
}

/** For git with the settings of the repository only, which are checked before it runs. */
export function gitEnvironment(caller: CallerEnvironment): NodeJS.ProcessEnv {
  return {
    ...environmentOf('git', caller),
    ...inertGitEnvironment,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
  };
}

/** For git printing its configuration: this executes nothing, and would be wrong without the user's part. */
export function gitConfigEnvironment(caller: CallerEnvironment): NodeJS.ProcessEnv {
  const { HOME, XDG_CONFIG_HOME } = caller.env;
  return { ...environmentOf('git', caller), ...inertGitEnvironment, HOME, XDG_CONFIG_HOME };
}

/** Nothing can be created below a device. */
const nowhere = '/dev/null';

/**
 * Without HOME, package managers ask the system for the home directory and store caches, logs and locks there. With
 * this one, a query that needs such a file fails.
 */
const closedHome = {
  HOME: nowhere,
  XDG_CACHE_HOME: nowhere,
  XDG_CONFIG_HOME: nowhere,
  XDG_DATA_HOME: nowhere,
  XDG_STATE_HOME: nowhere,
  CARGO_HOME: nowhere,
  npm_config_cache: nowhere,
  npm_config_userconfig: nowhere,
};

/**
 * Prevent toolchains from downloading modules and other versions of themselves, npm from logging, and node, pip and uv from
 * caching.
 */
const toolchainSettings = {
  GOTOOLCHAIN: 'local',
  GOENV: 'off',
  GOPROXY: 'off',
  NODE_DISABLE_COMPILE_CACHE: '1',
  RUSTUP_AUTO_INSTALL: '0',
  PIP_NO_CACHE_DIR: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  UV_NO_CACHE: '1',
  npm_config_logs_max: '0',
  npm_config_update_notifier: 'false',
};
