/**
 * Why a shell text is not run ahead of its user.
 *
 * Invariant: every refusal carries the name of one rule, the place in the text it is about, and a sentence.
 */
export interface ShellBoundary {
  readonly kind: 'boundary';
  readonly rule: BoundaryRule;
  /** Offset into the text, in UTF-16 units. */
  readonly at: number;
  readonly why: string;
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
