/**
 * Commands that show the addresses, routes and sockets of this machine.
 *
 * Invariant: the words are those listed; every other word of these programs could change the network or run a command.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';

const rules: Readonly<Record<string, OptionRule>> = {
  // Without -c, which repeats.
  netstat: {
    options: '-tulnpaxrsie46W --tcp --udp --listening --numeric --programs --all --route --interfaces',
  },
  ifconfig: { options: '-a' },
  ss: { options: '-tulnpaxsreimow46H --tcp --udp --listening --numeric --processes --all --summary' },
};

/** `ip addr show dev eth0`: an object, and how it is listed. */
const ip: CommandRule = (args) => {
  const texts = args.map(({ text, pattern, opaque }) => (pattern || opaque ? '' : text));
  const start = texts.findIndex(
    (text) => !/^-(br|brief|c|color|4|6|j|json|p|pretty|o|oneline|s|stats|d|details|h)$/.test(text),
  );
  const [object = '', verb = 'show', ...rest] = start < 0 ? [] : texts.slice(start);
  const isListed =
    /^(a|addr|address|r|route|l|link|n|neigh|neighbour|rule|maddr)$/.test(object) &&
    /^(s|sh|show|list|ls)$/.test(verb) &&
    (rest.length === 0 || (rest.length === 2 && rest[0] === 'dev' && /^[\w.-]+$/.test(rest[1] ?? '')));
  return isListed ? allowed() : boundary('option', args[0]?.at ?? 0, 'ip is read with an object and show');
};

export const networkCommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)] as const),
  ['ip', ip],
]);
