/**
 * The edit that an agent's hook announces on standard input.
 *
 * Two formats: Claude Code's `PreToolUse` event for its editing tools, and a plain object for other clients.
 *
 * Invariant: an event that is not an edit is `none`, and unknown shapes are not guessed.
 */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import type { Passage, ProposedChange } from '../../host/check/proposal-check.ts';

export type HookDialect = 'claude' | 'plain';

export type EditEvent =
  | { readonly kind: 'none'; readonly dialect: HookDialect; readonly why: string }
  | {
      readonly kind: 'edit';
      readonly dialect: HookDialect;
      /** Absolute. */
      readonly filePath: string;
      readonly change: ProposedChange;
    };

class UnreadableEvent extends Failure {
  readonly code = 'cli/unreadable-event';
  readonly remedy =
    'Send a PreToolUse event of Claude Code, or {"file_path", "content"} or {"file_path", "edits": [{"old_text", "new_text"}]}.';
}

export function readEditEvent(text: string, directory: string): EditEvent {
  const event = parse(text);
  const claude = claudeEvent.safeParse(event);
  if (claude.success) return fromClaude(claude.data, directory);
  const plain = plainEvent.safeParse(event);
  if (!plain.success) throw new UnreadableEvent('the event on standard input has an unknown format');
  const { file_path, content, edits } = plain.data;
  return edited('plain', resolve(directory, file_path), { content, edits: edits?.map(toPassage) });
}

/** Both names of each text are accepted. */
const passage = z.object({
  old_text: z.string().optional(),
  old_string: z.string().optional(),
  new_text: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().optional(),
});

const plainEvent = z.object({
  file_path: z.string().min(1),
  content: z.string().optional(),
  edits: z.array(passage).optional(),
});

const claudeEvent = z.object({
  hook_event_name: z.string(),
  cwd: z.string().optional(),
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
});

const claudeTools: Readonly<Record<string, 'passage' | 'passages' | 'whole'>> = {
  Edit: 'passage',
  MultiEdit: 'passages',
  Write: 'whole',
};

const claudeInput = passage.extend({
  file_path: z.string().min(1),
  content: z.string().optional(),
  edits: z.array(passage).optional(),
});

function fromClaude(event: z.infer<typeof claudeEvent>, directory: string): EditEvent {
  const form = claudeTools[event.tool_name];
  if (event.hook_event_name !== 'PreToolUse' || form === undefined) {
    return {
      kind: 'none',
      dialect: 'claude',
      why: `${event.hook_event_name} of ${event.tool_name} is not an edit`,
    };
  }
  const input = claudeInput.safeParse(event.tool_input);
  if (!input.success) throw new UnreadableEvent(`the input of ${event.tool_name} has an unknown format`);
  const { file_path, content, edits, ...only } = input.data;
  const filePath = isAbsolute(file_path) ? file_path : resolve(event.cwd ?? directory, file_path);
  if (form === 'whole') return edited('claude', filePath, { content });
  return edited('claude', filePath, { edits: (form === 'passage' ? [only] : edits)?.map(toPassage) });
}

function edited(
  dialect: HookDialect,
  filePath: string,
  {
    content,
    edits,
  }: { readonly content?: string | undefined; readonly edits?: readonly Passage[] | undefined },
): EditEvent {
  if (content !== undefined)
    return { kind: 'edit', dialect, filePath, change: { kind: 'whole', text: content } };
  if (edits && edits.length > 0) {
    return { kind: 'edit', dialect, filePath, change: { kind: 'passages', passages: edits } };
  }
  throw new UnreadableEvent('the event contains neither new content nor an edit');
}

function toPassage(given: z.infer<typeof passage>): Passage {
  return {
    oldText: given.old_text ?? given.old_string ?? '',
    newText: given.new_text ?? given.new_string ?? '',
    which: given.replace_all === true ? 'all' : undefined,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableEvent('the event on standard input is not JSON', { cause });
  }
}
