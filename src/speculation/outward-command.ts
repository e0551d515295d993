/**
 * Commands with effects beyond the files of the workspace: a commit, a push, a message.
 *
 * A sandbox keeps them harmless, but they must not run ahead: the conversation would report something that never
 * happened. This is not a security boundary; the sandbox is.
 */
import { beginsWith, type NamedCommand, namedCommands } from '../shell/named-commands.ts';

/** The external effect of a command, in a word; undefined if its text shows none. */
export function outwardEffect(text: string): string | undefined {
  const commands = namedCommands(text).map(withPlainProgram);
  return outward.find(({ is }) => commands.some(is))?.effect;
}

interface OutwardRule {
  readonly effect: string;
  readonly is: (command: NamedCommand) => boolean;
}

function program(...patterns: readonly string[]): OutwardRule['is'] {
  return (command) => patterns.some((pattern) => beginsWith(command, pattern));
}

/** A system program may be given by its path. */
function withPlainProgram([name = '', ...words]: NamedCommand): NamedCommand {
  return [name.replace(/^(?:\/usr)?(?:\/local)?\/s?bin\//, ''), ...words];
}

const outward: readonly OutwardRule[] = [
  { effect: 'changes the repository', is: changesRepository },
  {
    effect: 'publishes',
    is: program(
      'npm|pnpm|yarn|bun|cargo|poetry|twine|gem|flit|uv npm? publish|unpublish|upload|push|yank|login',
    ),
  },
  {
    effect: 'reaches other machines',
    is: program('curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp|gh|glab|hub|aws|gcloud|az'),
  },
  {
    effect: 'works on services',
    is: program(
      'docker|podman|kubectl|helm|terraform|pulumi|ansible*|systemctl|service|crontab|vercel|netlify|fly|heroku|firebase|supabase',
    ),
  },
  {
    effect: 'installs',
    is: program(
      'npm|pnpm|yarn|bun i|install|ci|add|remove|uninstall|update|upgrade|link',
      'pip|pip3|pipx install|uninstall',
      'apt|apt-get|brew|dnf|yum|apk|pacman|snap *',
      'cargo|gem install',
      'go get|install',
    ),
  },
  { effect: 'works on processes', is: program('kill|pkill|killall|nohup|shutdown|reboot') },
];

function changesRepository([name, ...args]: NamedCommand): boolean {
  if (name !== 'git') return false;
  const [subcommand = '', ...rest] = withoutGitOptions(args);
  const [first] = rest;
  switch (subcommand) {
    case 'apply':
      return rest.includes('--index');
    case 'branch':
      return first !== undefined && !/^(?:-[alrv]|--(?:list|show))/.test(first);
    case 'config':
      return first !== undefined && !/^(?:--(?:get|list)|-l)/.test(first);
    case 'remote':
      return ['add', 'remove', 'rename', 'set-url'].includes(first ?? '');
    case 'stash':
      return first !== 'list' && first !== 'show';
    case 'tag':
      return first !== undefined && !/^(?:-l|--list)/.test(first);
    default:
      return changingSubcommands.has(subcommand);
  }
}

const changingSubcommands: ReadonlySet<string> = new Set(
  `add am bisect checkout cherry-pick clean clone commit fetch gc init merge mv notes pull push rebase reset restore revert rm
   submodule switch worktree`.split(/\s+/),
);

/** Options of git itself whose value is a separate word. */
const valuedOptions: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);

function withoutGitOptions(args: readonly string[]): readonly string[] {
  let at = 0;
  for (let word = args[at]; word?.startsWith('-'); word = args[at]) at += valuedOptions.has(word) ? 2 : 1;
  return args.slice(at);
}
