/**
 * Rules that allow or deny tool calls, as users write them: `Bash(npm test:*)`, `Edit(src/**)`, `Read`.
 *
 * Invariant: in doubt, an allow rule does not match and a deny rule does.
 */
import picomatch from 'picomatch';
import { Failure } from '../../base/failure.ts';
import { isBoundary } from '../../shell/boundary.ts';
import { parseShellList } from '../../shell/syntax/shell-parser.ts';
import type { SubjectPath } from '../../tools/call-subject.ts';
import type { GuardedCall } from '../../tools/guarded-call.ts';
import type { PermissionRule } from '../../tools/permission-request.ts';

export function parseRule(text: string): PermissionRule {
  const [, tool, pattern] = /^\s*([A-Za-z_]\w*)(?:\((.*)\))?\s*$/s.exec(text) ?? [];
  if (tool === undefined) throw new BadRule(text);
  return pattern === undefined || pattern === '' || pattern === '*' ? { tool } : { tool, pattern };
}

export function renderRule({ tool, pattern }: PermissionRule): string {
  return pattern === undefined ? tool : `${tool}(${pattern})`;
}

/** Whether the rules allow this call. Of a compound command, every part must be allowed by some rule. */
export function isAllowedBy(rules: readonly PermissionRule[], call: GuardedCall): boolean {
  const fitting = rules.filter((rule) => coversTool(rule, call));
  if (fitting.some(({ pattern }) => pattern === undefined)) return true;
  const patterns = fitting.flatMap(({ pattern }) => pattern ?? []);
  const { subject } = call;
  switch (subject.kind) {
    case 'none':
      return false;
    case 'paths':
      return (
        subject.paths.length > 0 &&
        subject.paths.every((path) => fitting.some((rule) => matchesPath(rule, path)))
      );
    case 'command': {
      const parts = commandsOf(subject.command);
      if (parts === undefined) return patterns.includes(subject.command.trim());
      return parts.every((part) => patterns.some((pattern) => matchesCommand(pattern, part)));
    }
  }
}

/** The first rule that denies this call. Of a compound command, one denied part is enough. */
export function denialOf(rules: readonly PermissionRule[], call: GuardedCall): PermissionRule | undefined {
  return rules.find((rule) => coversTool(rule, call) && isDenied(rule, call));
}

/** Whether a rule denies reading a file. Tools that read many files skip it. */
export function hidesPath(rules: readonly PermissionRule[], path: SubjectPath): boolean {
  return rules.some((rule) => rule.tool === 'Read' && matchesPath(rule, path));
}

class BadRule extends Failure {
  readonly code = 'agent/bad-rule';
  readonly remedy =
    'Write the name of a tool, followed by a pattern in parentheses if needed: Bash(npm test:*).';

  constructor(text: string) {
    super(`"${text}" is not a permission rule`);
  }
}

const families: Readonly<Record<string, readonly string[]>> = {
  Edit: ['Edit', 'MultiEdit', 'Write', 'rename_symbol'],
  Read: ['Read', 'Glob', 'Grep'],
};

function coversTool({ tool }: PermissionRule, call: GuardedCall): boolean {
  return tool === call.tool || families[tool]?.includes(call.tool) === true;
}

function isDenied(rule: PermissionRule, { subject }: GuardedCall): boolean {
  const { pattern } = rule;
  if (pattern === undefined) return true;
  switch (subject.kind) {
    case 'none':
      return false;
    case 'paths':
      return subject.paths.some((path) => matchesPath(rule, path));
    case 'command': {
      const parts = commandsOf(subject.command);
      if (parts === undefined) return mentionsCommand(pattern, subject.command);
      return parts.some(
        (part) => matchesCommand(pattern, part) || (launchers.test(part) && mentionsCommand(pattern, part)),
      );
    }
  }
}

type PathMatch = (path: SubjectPath) => boolean;

/** A rule may be matched against every file of a workspace, so its pattern is compiled once. */
const pathMatches = new WeakMap<PermissionRule, PathMatch>();

function matchesPath(rule: PermissionRule, path: SubjectPath): boolean {
  const known = pathMatches.get(rule) ?? pathMatch(rule.pattern ?? '**');
  pathMatches.set(rule, known);
  return known(path);
}

function pathMatch(pattern: string): PathMatch {
  const bare = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
  // A bare name matches at any depth. The name of a directory matches everything below it.
  const globs = bare.includes('/') || bare === '**' ? [bare] : [bare, `**/${bare}`];
  const matches = picomatch([...globs, ...globs.map((glob) => `${glob}/**`)], { dot: true });
  return ({ absolute, shown }) => matches(bare.startsWith('/') ? absolute : shown);
}

/** Programs that execute their arguments as a command. */
const launchers =
  /^(\S*\/)?(sh|bash|zsh|dash|fish|ksh|sudo|doas|su|env|xargs|parallel|timeout|nice|nohup|time|stdbuf|setsid|command|builtin|exec|eval|find|watch|ssh|script|busybox)( |$)/;

/** The simple commands of a text, as plain words; undefined if the text uses other shell syntax. */
function commandsOf(text: string): readonly string[] | undefined {
  const list = parseShellList(text);
  if (isBoundary(list)) return undefined;
  return list.flatMap(({ pipeline }) => pipeline.map(({ argv }) => argv.map((word) => word.text).join(' ')));
}

/**
 * `npm test:*` matches that command with any arguments; a `*` elsewhere matches any text; otherwise the whole command
 * must be equal.
 */
function matchesCommand(pattern: string, command: string): boolean {
  if (pattern.endsWith(':*')) {
    const prefix = pattern.slice(0, -2).trim();
    return command === prefix || command.startsWith(`${prefix} `);
  }
  const source = pattern.trim().split('*').map(literal).join('.*');
  return new RegExp(`^${source}$`, 's').test(command);
}

/** A command that cannot be split is denied if the words of the rule occur anywhere in it. */
function mentionsCommand(pattern: string, text: string): boolean {
  const words = pattern.replace(/:?\*$/, '').trim().split(/\s+/);
  return new RegExp(`(^|[^\\w-])${words.map(literal).join('\\s+')}($|[^\\w-])`).test(text);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
