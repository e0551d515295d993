/** Reading JSON that we wrote ourselves: text that is no JSON, or not of the schema, is reported and never used in part. */
import type { z } from 'zod';

export type StoredJson<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'corrupt'; readonly why: string };

export function readStored<T>(text: string, schema: z.ZodType<T>): StoredJson<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'corrupt', why: ' is cut short or no JSON' };
  }
  const { success, data, error } = schema.safeParse(value);
  if (success) return { kind: 'read', value: data };
  const [issue] = error.issues;
  return {
    kind: 'corrupt',
    why: `${issue?.path.map((step) => `.${String(step)}`).join('') ?? ''} ${issue?.message}`,
  };
}

/** The value, or undefined where it is corrupt and the caller can do without it. */
export function storedValue<T>(text: string, schema: z.ZodType<T>): T | undefined {
  const read = readStored(text, schema);
  return read.kind === 'read' ? read.value : undefined;
}
