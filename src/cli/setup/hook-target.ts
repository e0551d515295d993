/**
 * The clients that run hooks, as data: which file names them, in which form, and for which moments.
 *
 * Invariant: an id is that of a client target; removal finds everything that was written through the same data.
 */
import { join } from 'node:path';
import type { HookMode } from '../hook/hook-judgement.ts';
import type { Places } from './client-target.ts';

export type HookMoment = 'before' | 'after' | 'stop';

export interface HookTarget {
  readonly id: string;
  readonly file: (places: Pick<Places, 'home' | 'project'>) => string;
  readonly form: HookForm;
  /** When an edit is judged in mode `warn`: where the client gives notes to its model. */
  readonly warnsAt: readonly HookMoment[];
  /** The user's next step. */
  readonly next?: string;
}

export type HookForm =
  /** Lists of hooks by event: groups with a matcher, or plain entries with one. */
  | {
      readonly kind: 'groups' | 'entries';
      readonly events: Readonly<Record<HookMoment, string>>;
      /** The editing tools, as a regular expression over their names. */
      readonly matcher: string;
    }
  /** A module of ours. */
  | { readonly kind: 'plugin' };

/** The moments at which the client calls the hook. */
export function momentsOf({ warnsAt }: HookTarget, mode: HookMode): readonly HookMoment[] {
  if (mode === 'warn') return warnsAt;
  return mode === 'deny' ? ['before'] : ['before', 'stop'];
}

const claudeEvents = { before: 'PreToolUse', after: 'PostToolUse', stop: 'Stop' } as const;
const claudeForm = { kind: 'groups', events: claudeEvents, matcher: 'Edit|MultiEdit|Write' } as const;

export const hookTargets: readonly HookTarget[] = [
  {
    id: 'claude-code',
    file: ({ project }) => join(project, '.claude', 'settings.json'),
    form: claudeForm,
    warnsAt: ['before'],
  },
  {
    id: 'claude-code-global',
    file: ({ home }) => join(home, '.claude', 'settings.json'),
    form: claudeForm,
    warnsAt: ['before'],
  },
  {
    id: 'qwen',
    file: ({ project }) => join(project, '.qwen', 'settings.json'),
    form: { kind: 'groups', events: claudeEvents, matcher: '^(edit|write_file)$' },
    // Its event after an edit has the text from before it.
    warnsAt: ['after'],
  },
  {
    id: 'gemini',
    file: ({ project }) => join(project, '.gemini', 'settings.json'),
    form: {
      kind: 'groups',
      events: { before: 'BeforeTool', after: 'AfterTool', stop: 'AfterAgent' },
      matcher: '^(replace|write_file)$',
    },
    // Its event after an edit has the text from before it.
    warnsAt: ['after'],
  },
  {
    id: 'codex',
    file: ({ home }) => join(home, '.codex', 'hooks.json'),
    form: { kind: 'groups', events: claudeEvents, matcher: '^apply_patch$' },
    warnsAt: ['before'],
    next: 'Type /hooks in Codex and trust the hook: it does not run before.',
  },
  {
    id: 'cursor',
    file: ({ project }) => join(project, '.cursor', 'hooks.json'),
    form: {
      kind: 'entries',
      events: { before: 'preToolUse', after: 'postToolUse', stop: 'stop' },
      matcher: 'Write|Edit|StrReplace|MultiEdit|ApplyPatch',
    },
    warnsAt: ['before', 'after'],
  },
  {
    id: 'opencode',
    file: ({ project }) => join(project, '.opencode', 'plugins', 'forerun.js'),
    form: { kind: 'plugin' },
    warnsAt: ['before'],
  },
];
