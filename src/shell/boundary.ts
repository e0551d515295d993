/**
 * Why a command is not run without confirmation.
 *
 * Invariant: every refusal has the name of one rule and a sentence; a refusal based on the text alone also has its
 * position.
 */
export interface CommandBoundary {
  readonly kind: 'boundary';
  /** The name of the rule that applied. */
  readonly rule: string;
  readonly why: string;
}

/** A boundary that follows from the text of the command. */
export interface ShellBoundary extends CommandBoundary {
  readonly rule: BoundaryRule;
  /** Offset into the text, in UTF-16 units. */
  readonly at: number;
}

/** The rules, by the step that applies them: the text, its grammar, the command, the run. */
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
