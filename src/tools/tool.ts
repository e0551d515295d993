/**
 * One named operation, defined once.
 *
 * The input's JSON Schema, the annotations a client sees and the older names that still answer all derive from the
 * definition.
 *
 * Invariant: `handle` only ever sees input its schema has read.
 */
import type { z } from 'zod';
import { parseArguments, readArguments } from './argument.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolResult } from './tool-result.ts';

/** What a tool touches. */
export type Effect = 'reads' | 'overlay' | 'disk' | 'process' | 'network';

export interface Tool {
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
  prepare(rawArguments: unknown): PreparedCall;
  /** Only on a tool that stands for others: the call that takes the place of this one before any guard is asked. */
  readonly forward?: (rawArguments: unknown) => ForwardedCall;
}

export interface ForwardedCall {
  readonly name: string;
  readonly arguments: unknown;
}

interface PreparedCall {
  readonly input: Readonly<Record<string, unknown>>;
  /** What this call touches, which may be less than the tool could. */
  readonly effect: Effect;
  readonly ignored: readonly string[];
  run(context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
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

export interface ToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The most any call of it touches, but for a flag `apply` that adds writing to a tool that otherwise answers edits. */
  readonly effect: Effect;
  /** What one call touches, where its input decides; absent: `effect`, less for `dry_run` and more for `apply`. */
  effectOf?(input: z.infer<Input>): Effect;
  /** Absent: a tool with the effect `disk` destroys, no other does. */
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly aliases?: readonly string[];
  readonly listedAliases?: readonly ListedAlias[];
  readonly input: Input;
  handle(context: ToolContext, input: z.infer<Input>, signal: AbortSignal): Promise<ToolResult>;
}

export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, effect, input } = definition;
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
      destructive: definition.destructive ?? effect === 'disk',
      idempotent: definition.idempotent ?? false,
    },
    aliases: definition.aliases ?? [],
    listedAliases: definition.listedAliases ?? [],
    get inputSchema() {
      return inputSchema();
    },
    prepare(rawArguments) {
      const { values, ignored } = readArguments(inputSchema(), rawArguments);
      const parsed = parseArguments(input, values);
      return {
        input: values,
        effect: definition.effectOf ? definition.effectOf(parsed) : effectOfFlags(effect, parsed),
        ignored,
        run: (context, signal) => definition.handle(context, parsed, signal),
      };
    },
  };
}

/** The two flags mean the same in every tool that has them, so that no tool can forget to say so. */
function effectOfFlags(effect: Effect, input: Readonly<Record<string, unknown>>): Effect {
  if (input.dry_run === true && effect === 'disk') return 'reads';
  return input.apply === true ? 'disk' : effect;
}
