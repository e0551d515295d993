/**
 * Finds out which agent sends an event, and reads it.
 *
 * Invariant: the payload alone decides; shapes of no known agent are not guessed.
 */
import { Failure } from '../../base/failure.ts';
import { claudeDialect, codexDialect, qwenDialect } from './dialect/claude-dialect.ts';
import { cursorDialect } from './dialect/cursor-dialect.ts';
import { geminiDialect } from './dialect/gemini-dialect.ts';
import { opencodeDialect } from './dialect/opencode-dialect.ts';
import { plainEditDialect } from './dialect/plain-dialect.ts';
import type { HookDialect, HookEvent, Payload } from './hook-event.ts';

/** The more particular ones first: Claude Code's payloads have no mark of their own. */
const dialects: readonly HookDialect[] = [
  opencodeDialect,
  cursorDialect,
  geminiDialect,
  codexDialect,
  qwenDialect,
  claudeDialect,
  plainEditDialect,
];

export interface ReadEvent {
  readonly dialect: HookDialect;
  readonly event: HookEvent;
}

export function readEvent(text: string, directory: string): ReadEvent {
  const payload = parse(text);
  for (const dialect of dialects) {
    const event = dialect.parse(payload, directory);
    if (event) return { dialect, event };
  }
  throw new UnreadableEvent('the event on standard input has an unknown format');
}

class UnreadableEvent extends Failure {
  readonly code = 'cli/unreadable-event';
  readonly remedy =
    'Send an event of a known agent, or {"file_path", "content"} or {"file_path", "edits": [{"old_text", "new_text"}]}.';
}

function parse(text: string): Payload {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (cause) {
    throw new UnreadableEvent('the event on standard input is not JSON', { cause });
  }
}
