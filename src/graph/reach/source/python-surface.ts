/**
 * What other files can see of a Python file: everything but the bodies of functions that state what they return.
 *
 * A type checker takes the result of such a function from its annotation and never looks inside for anybody else. What a
 * body does beyond that is kept: attributes of the instance or class that it declares by assigning them, names it makes
 * global, whether it yields (an async function that does returns something else), and bodies that only stand for an
 * implementation, since a class is abstract or not by them.
 *
 * Invariant: errs towards more. A body is left out only where nothing in it can be seen from outside.
 */
import { type LogicalLine, pythonLines } from './python-lines.ts';

/** Whether no other file can tell the two texts apart. */
export function haveSamePythonSurface(before: string, after: string): boolean {
  if (before === after) return true;
  const [old, now] = [pythonLines(before), pythonLines(after)];
  if (old === undefined || now === undefined) return false;
  const [oldSurface, newSurface] = [surfaceOf(old), surfaceOf(now)];
  return oldSurface !== undefined && oldSurface === newSurface;
}

/** The visible lines as one text; undefined where the lines do not nest as Python's do. */
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
  /** The name of the first parameter, which may be the instance or the class; undefined where it could not be read. */
  readonly first: string | undefined;
}

/** Of a line that begins a function with an annotated result and has its body below; a body on the line itself is part of it. */
function signatureOf(code: string): Signature | undefined {
  const [, async, first] = /^(async )?def \w+\s*(?:\[.*\])?\s*\(\s*(\w+)?/s.exec(code) ?? [];
  if (!/^(?:async )?def\b/.test(code) || !/->.*:$/s.test(code) || code.includes('#')) return undefined;
  return { isAsync: async !== undefined, first };
}

/** Where the lines that are indented deeper than the head of the block end. */
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

/** Whether an attribute of what the pattern names may be assigned to: as a target, alone or among others. */
function declaresOn(name: string, text: string): boolean {
  return new RegExp(`\\b${name}\\s*\\.\\s*\\w+\\s*(?:=(?!=)|[-+*/|&^%@<>]+=|[:,)\\]]|in\\b|$)`, 'm').test(
    text,
  );
}
