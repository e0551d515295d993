/**
 * One tool of the agent: a schema, what a call touches, and a function from files to files.
 *
 * Invariant: a tool alters nothing. What it changed is in the overlay it answers with, so that the same definition
 * serves a live agent and a fork.
 */
import type { z } from 'zod';
import type { JsonObject } from '../model/json-value.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { parseArguments, readArguments } from '../tools/argument.ts';
import type { CallSubject } from '../tools/call-subject.ts';
import { type JsonSchema, jsonSchemaOf } from '../tools/json-schema.ts';
import type { Effect } from '../tools/tool.ts';
import type { CodeConnection } from './code-connection.ts';
import type { CommandRunner } from './command-runner.ts';
import type { Roots, RootView } from './files/agent-root.ts';
import type { AnchoredPath } from './files/path-anchor.ts';
import type { ReadCache, SeenFile } from './files/read-cache.ts';
import type { Todo } from './todo.ts';

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Reads the arguments; throws the sentence a model gets for bad ones. */
  prepare(input: JsonObject): PreparedCall;
}

export interface PreparedCall {
  /** As the schema has read it. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
  /** What the call is about, as permission rules name it. */
  subject(context: AgentToolContext): Promise<CallSubject>;
  run(context: AgentToolContext, signal: AbortSignal): Promise<ToolOutcome>;
}

/** What one call may look at. */
export interface AgentToolContext {
  /** The id of this call, as the model and the events of the turn name it. */
  readonly callId: string;
  readonly roots: Roots<RootView>;
  readonly reads: Pick<ReadCache, 'hashOf'>;
  readonly commands: CommandRunner;
  /** Absent where no language server is at hand. */
  readonly code: CodeConnection | undefined;
  /** Whether the user's rules keep a file from being looked at. */
  hides(path: AnchoredPath): boolean;
}

export interface ToolOutcome {
  readonly kind: 'done' | 'failed';
  /** What the model reads. */
  readonly text: string;
  readonly change?: FileSetChange;
  /** What was shown or written, for the next edit to be held against. */
  readonly seen?: readonly SeenFile[];
  readonly todos?: readonly Todo[];
}

export interface FileSetChange {
  readonly root: RootView;
  readonly overlay: Overlay;
  /** The files it is about, as they are told. */
  readonly shown: readonly string[];
}

export interface AgentToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: Input;
  subject?(context: AgentToolContext, input: z.infer<Input>): Promise<CallSubject>;
  run(context: AgentToolContext, input: z.infer<Input>, signal: AbortSignal): Promise<ToolOutcome>;
}

export function defineAgentTool<Input extends z.ZodObject>(
  definition: AgentToolDefinition<Input>,
): AgentTool {
  const { name, description, effect, input } = definition;
  const schema = jsonSchemaOf(input);
  return {
    name,
    description,
    inputSchema: declaredSchema(schema),
    prepare(given) {
      const { values } = readArguments(schema, given);
      const parsed = parseArguments(input, values);
      return {
        input: values,
        effect,
        subject: async (context) => definition.subject?.(context, parsed) ?? { kind: 'none' },
        run: (context, signal) => definition.run(context, parsed, signal),
      };
    },
  };
}

/** A schema as models are shown it. */
export function declaredSchema(schema: JsonSchema): JsonObject {
  return JSON.parse(JSON.stringify(schema));
}

export function done(text: string, extras: Omit<ToolOutcome, 'kind' | 'text'> = {}): ToolOutcome {
  return { kind: 'done', text, ...extras };
}
