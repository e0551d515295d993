/**
 * The part of a Python file that other files can see: everything but the bodies of functions with an annotated
 * result.
 *
 * A type checker takes the result of such a function from its annotation and does not look inside for other files.
 * These parts of a body are kept: attributes of the instance or class that it declares by assignment, names it makes
 * global, whether it yields (which changes the result of an async function), and placeholder bodies, since they
 * decide whether a class is abstract.
 *
 * Invariant: in doubt more is kept. A body is omitted only if nothing in it is visible from outside.
 */
import { type LogicalLine, pythonLines } from './python-lines.ts';

/** Whether the two texts look the same to other files. */
export function haveSamePythonSurface(before: string, after: string): boolean {
  if (before === after) return true;
  const [old, now] = [pythonLines(before), pythonLines(after)];
  if (old === undefined || now === undefined) return false;
  const [oldSurface, newSurface] = [surfaceOf(old), surfaceOf(now)];
  return oldSurface !== undefined && oldSurface === newSurface;
}

/** The visible lines as one text; undefined if the lines are not nested as in Python. */
function surfaceOf(lines: readonly LogicalLine[]): string | undefined {
  const seen: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined) return undefined;
    seen.push(line.indent + line.code);
    at += 1;
    const signature = signatureOf(line.code);
    if (signature === undefined) continue;
    const end = bodyEnd(lines, at, line.indent);
    const body = lines.slice(at, end);
    if (body.length === 0) return undefined;
    if (isVisible(body, signature)) continue;
    seen.push(`${line.indent} hidden`);
    at = end;
  }
  return seen.join('\n');
}

interface Signature {
  readonly isAsync: boolean;
  /** The name of the first parameter, which may be the instance or the class; undefined if it could not be parsed. */
  readonly first: string | undefined;
}

/**
 * For a line that begins a function with an annotated result and its body below; a body on the same line is part of
 * the line.
 */
function signatureOf(code: string): Signature | undefined {
  const [, async, first] = /^(async )?def \w+\s*(?:\[.*\])?\s*\(\s*(\w+)?/s.exec(code) ?? [];
  if (!/^(?:async )?def\b/.test(code) || !/->.*:$/s.test(code) || code.includes('#')) return undefined;
  return { isAsync: async !== undefined, first };
}

/** The index after the lines that are indented deeper than the head of the block. */
function bodyEnd(lines: readonly LogicalLine[], start: number, indent: string): number {
  let end = start;
  for (let line = lines[end]; line !== undefined; line = lines[end]) {
    const isDeeper = line.indent.startsWith(indent) && line.indent.length > indent.length;
    if (!isDeeper) break;
    end += 1;
  }
  return end;
}

function isVisible(body: readonly LogicalLine[], { isAsync, first }: Signature): boolean {
  if (body.every(({ code }) => standsForImplementation.test(code))) return true;
  const text = body.map(({ code }) => code).join('\n');
  if (/\b(?:global|nonlocal|NotImplementedError)\b/.test(text) || text.includes('#')) return true;
  if (isAsync && /\byield\b/.test(text)) return true;
  return declaresOn(first ?? '\\w+', text);
}

const standsForImplementation = /^(?:\.\.\.|pass|[rbuft]{0,2}["'].*)$/is;

/** Whether an attribute of the named object may be assigned: as a target, alone or among others. */
function declaresOn(name: string, text: string): boolean {
  return new RegExp(`\\b${name}\\s*\\.\\s*\\w+\\s*(?:=(?!=)|[-+*/|&^%@<>]+=|[:,)\\]]|in\\b|$)`, 'm').test(
    text,
  );
}
