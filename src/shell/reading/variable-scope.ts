/**
 * The values of a script's variables that are known before it runs.
 *
 * Invariant: a variable that the text does not set, and that is not one of the caller's harmless ones, has no value.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { Assignment, Parameter } from '../syntax/shell-list.ts';
import { changeValue } from './parameter-value.ts';

/** A value given in the text, or the kind of text that the run will fill in. */
export type KnownValue =
  | { readonly text: string }
  | { readonly opaque: 'name' | 'text'; readonly prefix: string };

export class VariableScope {
  readonly #values: Map<string, KnownValue>;

  constructor(values: ReadonlyMap<string, KnownValue> = new Map()) {
    this.#values = new Map(values);
  }

  /** A separate scope with the same values. */
  copy(): VariableScope {
    return new VariableScope(this.#values);
  }

  set(name: string, value: KnownValue): void {
    this.#values.set(name, value);
  }

  /** Removes the value of a variable that may or may not have been set, except of those that are `set` in any case. */
  blur(other: VariableScope, set: readonly string[] = []): void {
    for (const [name, value] of other.#values) {
      if (set.includes(name)) continue;
      const own = this.#values.get(name);
      if (JSON.stringify(own) !== JSON.stringify(value))
        this.#values.set(name, { opaque: 'text', prefix: '' });
    }
  }

  /** Whether the text sets a variable. */
  isSet(name: string): boolean {
    return this.#values.has(name);
  }

  /** Whether both hold the same values. */
  equals(other: VariableScope): boolean {
    return JSON.stringify([...this.#values]) === JSON.stringify([...other.#values]);
  }

  get({ name, change }: Parameter): KnownValue | undefined {
    const value = this.#values.get(name) ?? callerValue(name);
    if (value === undefined) return undefined;
    if ('text' in value) return { text: changeValue(value.text, change) };
    if (change.kind === 'none') return value;
    return { opaque: addsText(change) ? 'text' : value.opaque, prefix: '' };
  }
}

/** Variables of the caller without secrets. They are only printed; as file names they lead outside. */
export const harmlessVariables: ReadonlySet<string> = new Set(
  'HOME USER LOGNAME PATH SHELL LANG TERM EDITOR HOSTNAME TZ NODE_ENV CI VIRTUAL_ENV GOPATH JAVA_HOME'.split(
    ' ',
  ),
);

function callerValue(name: string): KnownValue | undefined {
  if (name === 'PWD') return { text: '.' };
  if (name === '?') return { text: '0' };
  return harmlessVariables.has(name) ? { opaque: 'text', prefix: '' } : undefined;
}

/** Variables that affect the shell or programs; ours are never passed on, but the text intends it. */
export function refuseVariable({ name, at }: Pick<Assignment, 'name' | 'at'>): ShellBoundary | undefined {
  const acts =
    /^(IFS|PATH|HOME|PWD|OLDPWD|CDPATH|ENV|PS\d|PROMPT_COMMAND|GLOB\w*|SHELL\w*|LD_\w+|DYLD_\w+|GIT_\w+|BASH\w*|NODE_\w+|PYTHON\w*|PERL\w*|RUBY\w*|LESS\w*|\w*PAGER|\w*EDITOR|\w*BROWSER|TMPDIR|npm_\w+|NPM_\w+|\w*_proxy|\w*_PROXY|FUNCNAME|OPTIND|RANDOM|SECONDS|LINENO|UID|EUID|PPID|_)$/;
  return acts.test(name) ? boundary('assignment', at, `${name} changes how commands are run`) : undefined;
}

/** Whether an operation can put a path into a value. */
function addsText(change: Parameter['change']): boolean {
  if (change.kind === 'replace') return /[/.]/.test(change.by);
  return change.kind === 'default' || change.kind === 'alternative';
}

/** A command may get variables that only change its output: language, appearance, and no pager. */
export function refuseEnvironment({ name, value, at }: Assignment): ShellBoundary | undefined {
  if (!value.parts && !value.pattern && isPresentation(name, value.text)) return undefined;
  return boundary('assignment', at, `${name} would be set for a command`);
}

export function isPresentation(name: string, value: string): boolean {
  if (/^(PAGER|GIT_PAGER|BAT_PAGER|MANPAGER)$/.test(name)) return value === 'cat' || value === '';
  if (/^(GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT)$/.test(name)) return value === '0';
  if (/^(PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|NODE_NO_WARNINGS|CI)$/.test(name))
    return /^(1|true|)$/.test(value);
  // A zone that starts with a colon or a slash names a file.
  if (name === 'TZ') return /^([\w+-]+(\/[\w+-]+)*)?$/.test(value);
  return /^(LC_[A-Z]+|LANG|LANGUAGE|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES)$/.test(
    name,
  );
}
