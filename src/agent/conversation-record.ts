/**
 * The entries of a recorded conversation, in order of time.
 *
 * Invariant: entries are never removed. A summary marks where the model's context starts again; the entries before it
 * stay in the record.
 */
import { z } from 'zod';
import type { Message } from '../model/message.ts';
import type { JsonLine } from '../storage/json-line.ts';
import type { PermissionRule } from '../tools/permission-request.ts';
import type { SeenFile } from '../tools/tool-result.ts';
import { parseContentHash } from '../workspace/content-hash.ts';
import { repairedSequence } from './message-sequence.ts';
import { type Todo, todoStates } from './todo.ts';

export type ConversationEntry =
  | { readonly kind: 'opened'; readonly id: string; readonly workspace: string; readonly at: string }
  | { readonly kind: 'message'; readonly message: Message; readonly at: string }
  /** From here on, the model sees this message in place of all earlier ones. */
  | { readonly kind: 'summary'; readonly message: Message; readonly at: string }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'seen'; readonly files: readonly SeenFile[] }
  /** The user allowed this rule for the rest of the conversation. */
  | { readonly kind: 'allowed'; readonly rule: PermissionRule; readonly at: string }
  /** The work of an accepted speculation. It is one entry, so it is recorded completely or not at all. */
  | {
      readonly kind: 'absorbed';
      readonly id: string;
      readonly messages: readonly Message[];
      readonly seen: readonly SeenFile[];
      readonly todos?: readonly Todo[];
      readonly at: string;
    };

export interface ConversationState {
  readonly messages: readonly Message[];
  readonly todos: readonly Todo[];
  readonly seen: readonly SeenFile[];
  readonly allowed: readonly PermissionRule[];
}

/** The state of a conversation after its last entry. Unknown entries are skipped. */
export function stateOf(entries: readonly JsonLine[]): ConversationState {
  let messages: Message[] = [];
  let todos: readonly Todo[] = [];
  const seen: SeenFile[] = [];
  const allowed: PermissionRule[] = [];
  for (const raw of entries) {
    const parsed = entrySchema.safeParse(raw);
    if (!parsed.success) continue;
    const entry = parsed.data;
    switch (entry.kind) {
      case 'message':
        messages.push(entry.message);
        break;
      case 'summary':
        messages = [entry.message];
        break;
      case 'todos':
        todos = entry.todos;
        break;
      case 'seen':
        seen.push(...entry.files.flatMap(seenFile));
        break;
      case 'allowed':
        allowed.push(entry.rule);
        break;
      case 'absorbed':
        messages.push(...entry.messages);
        seen.push(...entry.seen.flatMap(seenFile));
        todos = entry.todos ?? todos;
        break;
    }
  }
  return { messages: repairedSequence(messages), todos, seen, allowed };
}

/** The beginning of the user's first message, as a title. */
export function titleOf(entries: readonly JsonLine[]): string | undefined {
  for (const raw of entries) {
    const parsed = entrySchema.safeParse(raw);
    if (!parsed.success || parsed.data.kind !== 'message') continue;
    // The opening precedes the user's input in the same message.
    const said = parsed.data.message.content.filter((part) => part.kind === 'text').at(-1);
    if (said?.kind === 'text') return said.text.trim().split('\n')[0]?.slice(0, 80);
  }
  return undefined;
}

function seenFile({
  absolute,
  hash,
}: {
  readonly absolute: string;
  readonly hash: string;
}): readonly SeenFile[] {
  const known = parseContentHash(hash);
  return known === undefined ? [] : [{ absolute, hash: known }];
}

const textPart = z.object({ kind: z.literal('text'), text: z.string() });

const userPart = z.discriminatedUnion('kind', [
  textPart,
  z.object({
    kind: z.literal('image'),
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    base64: z.string(),
  }),
  z.object({
    kind: z.literal('tool-result'),
    id: z.string(),
    name: z.string(),
    text: z.string(),
    outcome: z.enum(['done', 'failed']),
  }),
]);

const toolInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('object'), value: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal('malformed'), text: z.string() }),
]);

const assistantPart = z.discriminatedUnion('kind', [
  textPart,
  z.object({ kind: z.literal('thinking'), text: z.string(), signature: z.string().exactOptional() }),
  z.object({ kind: z.literal('redacted-thinking'), data: z.string() }),
  z.object({ kind: z.literal('tool-call'), id: z.string(), name: z.string(), input: toolInput }),
]);

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.array(userPart) }),
  z.object({ role: z.literal('assistant'), content: z.array(assistantPart) }),
]);

const todos = z.array(z.object({ content: z.string(), status: z.enum(todoStates) }));

const seenFiles = z.array(z.object({ absolute: z.string(), hash: z.string() }));

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), id: z.string(), workspace: z.string(), at: z.string() }),
  z.object({ kind: z.literal('message'), message, at: z.string() }),
  z.object({ kind: z.literal('summary'), message, at: z.string() }),
  z.object({ kind: z.literal('todos'), todos }),
  z.object({ kind: z.literal('seen'), files: seenFiles }),
  z.object({
    kind: z.literal('allowed'),
    rule: z.object({ tool: z.string(), pattern: z.string().exactOptional() }),
    at: z.string(),
  }),
  z.object({
    kind: z.literal('absorbed'),
    id: z.string(),
    messages: z.array(message),
    seen: seenFiles,
    todos: todos.exactOptional(),
    at: z.string(),
  }),
]);
