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
type Effect = 'reads' | 'overlay' | 'disk' | 'process' | 'network';

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
}

interface PreparedCall {
  readonly input: Readonly<Record<string, unknown>>;
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
}

export interface ToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
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
      readOnly: effect === 'reads',
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
      return { input: values, ignored, run: (context, signal) => definition.handle(context, parsed, signal) };
    },
  };
}
