/**
 * One named operation, defined once.
 *
 * The input's JSON Schema, the annotations a client sees and the older names that still answer all derive from the
 * definition. Tools of a connection and tools of an agent differ only in the context they are run in.
 *
 * Invariants: `handle` only ever sees input its schema has read. A tool with the effect `overlay` writes nothing: it
 * answers with the overlay, and the caller commits it.
 */
import type { z } from 'zod';
import { type Arguments, parseArguments, readArguments } from './argument.ts';
import type { CallSubject } from './call-subject.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolResult } from './tool-result.ts';

/** What a tool touches. */
export type Effect = 'reads' | 'overlay' | 'disk' | 'process' | 'network';

export interface Tool<Context = ToolContext> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  /** Older names that answer without being listed. */
  readonly aliases: readonly string[];
  /** Second names that are listed as tools of their own. */
  readonly listedAliases: readonly ListedAlias[];
  readonly inputSchema: JsonSchema;
  /** Reads the arguments; throws the sentence a caller gets for bad ones. */
  prepare(rawArguments: unknown): PreparedCall<Context>;
}

/** A call whose arguments are read; nothing has been run yet. */
export interface PreparedCall<Context = ToolContext> {
  /** The tool that acts: another one than was called, where that stands for others. */
  readonly tool: ActingTool;
  /** The arguments of that tool, as the caller sent them. */
  readonly given: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  /** What this call touches, which may be less than the tool could. */
  readonly effect: Effect;
  readonly ignored: readonly string[];
  /** What the call is about, as permission rules name it. */
  subject(context: Context): Promise<CallSubject>;
  run(context: Context, signal: AbortSignal): Promise<ToolResult>;
}

export interface ActingTool {
  readonly name: string;
  readonly effect: Effect;
}

interface ToolAnnotations {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

interface ListedAlias {
  readonly name: string;
  readonly title: string;
  /** Arguments the name stands for, whatever the caller says of them. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** What a client is shown of a tool, and how its arguments are read. */
interface ToolHead<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The most any call of it touches, but for a flag `apply` that adds writing to a tool that otherwise answers edits. */
  readonly effect: Effect;
  /** Absent: a tool with the effect `disk` destroys, no other does. */
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly aliases?: readonly string[];
  readonly listedAliases?: readonly ListedAlias[];
  readonly input: Input;
}

export interface ToolDefinition<Input extends z.ZodObject, Context = ToolContext> extends ToolHead<Input> {
  /** What one call touches, where its input decides; absent: `effect`, less for `dry_run` and more for `apply`. */
  effectOf?(input: z.infer<Input>): Effect;
  /** What one call is about; absent: nothing that a permission rule could name. */
  subject?(context: Context, input: z.infer<Input>): Promise<CallSubject>;
  handle(context: Context, input: z.infer<Input>, signal: AbortSignal): Promise<ToolResult>;
}

export function defineTool<Input extends z.ZodObject, Context = ToolContext>(
  definition: ToolDefinition<Input, Context>,
): Tool<Context> {
  const { name, effect } = definition;
  return declared(definition, (parsed, { given, values, ignored }) => ({
    tool: { name, effect },
    given,
    input: values,
    effect: definition.effectOf ? definition.effectOf(parsed) : effectOfFlags(effect, parsed),
    ignored,
    subject: async (context) => definition.subject?.(context, parsed) ?? { kind: 'none' },
    run: (context, signal) => definition.handle(context, parsed, signal),
  }));
}

export interface ForwardingDefinition<Input extends z.ZodObject> extends ToolHead<Input> {
  /** The call of another tool that takes the place of this one. */
  forward(input: z.infer<Input>): PreparedCall;
}

/** A tool that stands for others: guards and records see the one that acts. */
export function defineForwardingTool<Input extends z.ZodObject>(
  definition: ForwardingDefinition<Input>,
): Tool {
  return declared(definition, (parsed) => definition.forward(parsed));
}

interface ReadCall extends Arguments {
  readonly given: unknown;
}

function declared<Input extends z.ZodObject, Context>(
  head: ToolHead<Input>,
  prepared: (parsed: z.infer<Input>, read: ReadCall) => PreparedCall<Context>,
): Tool<Context> {
  const { name, title, description, effect, input } = head;
  let schema: JsonSchema | undefined;
  const inputSchema = (): JsonSchema => {
    schema ??= jsonSchemaOf(input);
    return schema;
  };
  return {
    name,
    title,
    description,
    effect,
    annotations: {
      // A client lets what only reads pass unasked, so one call that may write is enough.
      readOnly: effect === 'reads' && !('apply' in input.shape),
      destructive: head.destructive ?? effect === 'disk',
      idempotent: head.idempotent ?? false,
    },
    aliases: head.aliases ?? [],
    listedAliases: head.listedAliases ?? [],
    get inputSchema() {
      return inputSchema();
    },
    prepare(given) {
      const read = readArguments(inputSchema(), given);
      return prepared(parseArguments(input, read.values), { ...read, given });
    },
  };
}

/** The two flags mean the same in every tool that has them, so that no tool can forget to say so. */
function effectOfFlags(effect: Effect, input: Readonly<Record<string, unknown>>): Effect {
  if (input.dry_run === true && effect === 'disk') return 'reads';
  return input.apply === true ? 'disk' : effect;
}
