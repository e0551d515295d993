/**
 * JSON as configuration files write it: comments and trailing commas allowed.
 *
 * Invariant: what a reader finds is `unknown` until it has looked.
 */
export function parseLooseJson(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, string: string | undefined) => string ?? '',
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '');
  return JSON.parse(plain);
}

/** The value of a field, or undefined where there is no object or no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The fields of an object, none of anything else. */
export function fieldsOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** Every string inside a value, however deep. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
