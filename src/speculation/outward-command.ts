/**
 * Commands whose point lies beyond the files of the workspace: a commit, a push, a message to somebody.
 *
 * A sandbox keeps them harmless, and for that very reason they must not be run in one ahead of the user: the
 * conversation would tell of something that never happened. This is no guard against anybody; the sandbox is.
 */

/** What a command would do elsewhere, in a word; undefined where nothing in its text says so. */
export function outwardEffect(command: string): string | undefined {
  return outward.find(({ pattern }) => pattern.test(command))?.effect;
}

interface OutwardRule {
  readonly effect: string;
  readonly pattern: RegExp;
}

/** A program where a command begins: at the start, or after an operator, an opening bracket or a variable. */
function program(names: string): RegExp {
  return new RegExp(
    `(?:^|[;&|(\`\\n]|\\$\\()\\s*(?:\\w+=\\S*\\s+)*(?:sudo\\s+|env\\s+|command\\s+|time\\s+)*(?:${names})`,
  );
}

const gitOptions = '(?:-\\S+(?:\\s+[^-\\s]\\S*)?\\s+)*?';

const outward: readonly OutwardRule[] = [
  {
    effect: 'changes the repository',
    pattern: program(
      `git\\s+${gitOptions}(?:add|am|apply\\s+--index|bisect|branch\\s+(?!-[alrv]|--(?:list|show)|$)\\S+|checkout|cherry-pick|clean|clone|commit|config\\s+(?!--(?:get|list)|-l)\\S+|fetch|gc|init|merge(?!-base|-tree)|mv|notes|pull|push|rebase|remote\\s+(?:add|remove|rename|set-url)|reset|restore|revert|rm|stash(?!\\s+(?:list|show))|submodule|switch|tag\\s+(?!-l|--list)\\S+|worktree)\\b`,
    ),
  },
  {
    effect: 'publishes',
    pattern: program(
      '(?:npm|pnpm|yarn|bun|cargo|poetry|twine|gem|flit|uv)\\s+(?:npm\\s+)?(?:publish|unpublish|upload|push|yank|login)\\b',
    ),
  },
  {
    effect: 'reaches other machines',
    pattern: program('(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp|gh|glab|hub|aws|gcloud|az)\\b'),
  },
  {
    effect: 'works on services',
    pattern: program(
      '(?:docker|podman|kubectl|helm|terraform|pulumi|ansible\\S*|systemctl|service|crontab|vercel|netlify|fly|heroku|firebase|supabase)\\b',
    ),
  },
  {
    effect: 'installs',
    pattern: program(
      '(?:(?:npm|pnpm|yarn|bun)\\s+(?:i|install|ci|add|remove|uninstall|update|upgrade|link)\\b|(?:pip3?|pipx)\\s+(?:install|uninstall)\\b|(?:apt|apt-get|brew|dnf|yum|apk|pacman|snap)\\s+\\S|cargo\\s+install\\b|go\\s+(?:get|install)\\b|gem\\s+install\\b)',
    ),
  },
  {
    effect: 'works on processes',
    pattern: program('(?:kill|pkill|killall|nohup|shutdown|reboot)\\b'),
  },
];
