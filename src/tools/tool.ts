/**
 * One named operation, defined once.
 *
 * Its JSON Schema, the annotations for clients and its aliases are derived from the definition. Tools of a connection
 * and tools of an agent differ only in the type of their context.
 *
 * Invariants: `handle` receives only input that its schema has parsed. A tool with the effect `overlay` writes
 * nothing: it returns the overlay, and the caller commits it.
 */
import type { z } from 'zod';
import { defaultMaxTokens } from './answer-budget.ts';
import type { CallSubject } from './call-subject.ts';
import { asFailure, StepFailed } from './failure.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { type Arguments, parseArguments, readArguments } from './parameter.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolResult } from './tool-result.ts';

/** The largest thing a tool touches. */
export type Effect = 'reads' | 'overlay' | 'disk' | 'process' | 'network';

export interface Tool<Context = ToolContext> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  /** Older names that are accepted but not listed. */
  readonly aliases: readonly string[];
  /** Second names that are listed as separate tools. */
  readonly listedAliases: readonly ListedAlias[];
  readonly inputSchema: JsonSchema;
  /** Parses the arguments; throws the sentence that the caller gets about invalid ones. */
  prepare(rawArguments: unknown): PreparedCall<Context>;
}

/** A call with parsed arguments that has not run yet. */
export interface PreparedCall<Context = ToolContext> {
  /** The acting tool; differs from the called tool if that forwards to another one. */
  readonly tool: ActingTool;
  /** The arguments of the acting tool, as the caller sent them. */
  readonly given: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  /** The effect of this call, which may be less than the tool's. */
  readonly effect: Effect;
  readonly ignored: readonly string[];
  /** The subject of the call, as permission rules name it. */
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
  /** Arguments that the alias fixes, whatever the caller gives for them. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** The declaration of a tool for clients, and the schema of its arguments. */
interface ToolHead<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The largest effect of any call, except that `apply` adds `disk` to a tool that otherwise returns edits. */
  readonly effect: Effect;
  /** Absent: only a tool with the effect `disk` is destructive. */
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly aliases?: readonly string[];
  readonly listedAliases?: readonly ListedAlias[];
  readonly input: Input;
}

export interface ToolDefinition<Input extends z.ZodObject, Context = ToolContext> extends ToolHead<Input> {
  /** The effect of one call, if its input decides; absent: `effect`, less for `dry_run` and more for `apply`. */
  effectOf?(input: z.infer<Input>): Effect;
  /** The subject of one call; absent: none that a permission rule could name. */
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
    input: 'max_tokens' in definition.input.shape ? { max_tokens: defaultMaxTokens, ...values } : values,
    effect: definition.effectOf ? definition.effectOf(parsed) : effectOfFlags(effect, parsed),
    ignored,
    subject: async (context) => definition.subject?.(context, parsed) ?? { kind: 'none' },
    run: (context, signal) => definition.handle(context, parsed, signal),
  }));
}

export interface ForwardingDefinition<Input extends z.ZodObject> extends ToolHead<Input> {
  /** The call of another tool that replaces this one. */
  forward(input: z.infer<Input>): PreparedCall;
}

/** A tool that forwards to others: guards and records see the acting tool. */
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
      // Clients allow read-only tools without asking, so a tool that may write in any call is not read-only.
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

/** Both flags mean the same in every tool, so the effect follows from them here. */
function effectOfFlags(effect: Effect, input: Readonly<Record<string, unknown>>): Effect {
  if (input.dry_run === true && effect === 'disk') return 'reads';
  return input.apply === true ? 'disk' : effect;
}

/** Runs one step of a tool; failures get the step's name as a prefix. */
export async function during<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new StepFailed(step, asFailure(thrown));
  }
}
