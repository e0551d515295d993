/**
 * The JSON Schema of a tool's input, restricted to what every client understands.
 *
 * Invariant: every node has at most one scalar `type`; no unions, no `$schema`, no `additionalProperties`, so that
 * strict OpenAPI 3.0 clients accept it.
 */
import { z } from 'zod';
import { isRecord } from '../base/record.ts';

export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export function jsonSchemaOf(input: z.ZodObject): JsonSchema {
  const rendered: unknown = z.toJSONSchema(input, { target: 'openapi-3.0', io: 'input' });
  return { ...plain(rendered), properties: plain(rendered).properties ?? {} };
}

/** Keeps the members of the interface above and drops all others. */
function plain(node: unknown): JsonSchema {
  if (!isRecord(node)) return {};
  const { type, description, items, properties, required } = node;
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(node.enum) && { enum: strings(node.enum) }),
    ...(items !== undefined && { items: plain(items) }),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, plain(child)])),
    }),
    ...(Array.isArray(required) && { required: strings(required) }),
  };
}

function strings(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}
