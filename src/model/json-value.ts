/** JSON values, and JSON serialised deterministically. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** An object from members that are already JSON, in the given order; absent members are omitted. */
export function jsonObject(members: readonly (readonly [name: string, json: string | undefined])[]): string {
  const written = members.flatMap(([name, json]) =>
    json === undefined ? [] : [`${JSON.stringify(name)}:${json}`],
  );
  return `{${written.join(',')}}`;
}

/** The members alone, for insertion between others; empty if all are absent. */
export function jsonMembers(members: readonly (readonly [name: string, json: string | undefined])[]): string {
  return jsonObject(members).slice(1, -1);
}

/** JSON of a value that may be absent. */
export function jsonOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
