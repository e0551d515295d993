/**
 * Why a command is not run ahead of its user.
 *
 * Invariant: every refusal carries the name of one rule and a sentence; one that rests on the text alone also says where
 * in the text.
 */
export interface CommandBoundary {
  readonly kind: 'boundary';
  /** The rule it fell under, by its name. */
  readonly rule: string;
  readonly why: string;
}

/** The text of the command says so. */
export interface ShellBoundary extends CommandBoundary {
  readonly rule: BoundaryRule;
  /** Offset into the text, in UTF-16 units. */
  readonly at: number;
}

/** The rules by the step that applies them: the text, its grammar, the command, the moment of running. */
export type BoundaryRule =
  | 'empty'
  | 'length'
  | 'character'
  | 'command-count'
  | 'unfinished'
  | 'operator'
  | 'expansion'
  | 'tilde'
  | 'brace'
  | 'glob'
  | 'history'
  | 'grouping'
  | 'background'
  | 'redirect'
  | 'here-document'
  | 'assignment'
  | 'keyword'
  | 'command-name'
  | 'unknown-command'
  | 'option'
  | 'operand'
  | 'script'
  | 'device'
  | 'outside'
  | 'workspace-program'
  | 'directory-change'
  | 'git-subcommand'
  | 'git-format'
  | 'program'
  | 'toolchain'
  | 'special-file'
  | 'git-configuration';

export function boundary(rule: BoundaryRule, at: number, why: string): ShellBoundary {
  return { kind: 'boundary', rule, at, why };
}

export function isBoundary(value: unknown): value is ShellBoundary {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'boundary';
}
