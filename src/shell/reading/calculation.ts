/**
 * Computes arithmetic as bash does, on whole numbers of 64 bits.
 *
 * Invariant: the value of a variable is a number as written, or empty, which is zero; any other text has no value.
 */
import type { Calculation, Script } from '../syntax/shell-list.ts';

export interface CalculationPlace {
  /** The number that a variable holds; undefined if it holds none. */
  readonly valueOf: (name: string) => bigint | undefined;
  /** The number that a script prints; undefined if it prints none. */
  readonly outputOf: (script: Script) => bigint | undefined;
}

/** The result; undefined if an operand is no number, or if bash would report an error. */
export function calculate(calculation: Calculation, place: CalculationPlace): bigint | undefined {
  switch (calculation.kind) {
    case 'number':
      return calculation.value;
    case 'name':
      return place.valueOf(calculation.name);
    case 'output':
      return place.outputOf(calculation.script);
    case 'operation':
      return operate(calculation.operator, calculation.operands, place);
  }
}

/** A number as a variable or an output holds it. */
export function wholeNumberOf(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0n;
  return /^[+-]?(0|[1-9]\d{0,17})$/.test(trimmed) ? BigInt(trimmed.replace(/^\+/, '')) : undefined;
}

/** The scripts inside a calculation. */
export function scriptsOf(calculation: Calculation): readonly Script[] {
  if (calculation.kind === 'output') return [calculation.script];
  return calculation.kind === 'operation' ? calculation.operands.flatMap(scriptsOf) : [];
}

/** The variables of a calculation. */
export function variablesOf(calculation: Calculation): readonly string[] {
  if (calculation.kind === 'name') return [calculation.name];
  return calculation.kind === 'operation' ? calculation.operands.flatMap(variablesOf) : [];
}

function operate(
  operator: string,
  [first, second, third]: readonly Calculation[],
  place: CalculationPlace,
): bigint | undefined {
  const a = first && calculate(first, place);
  if (a === undefined) return undefined;
  // Of these, only the operands that decide are computed.
  if (operator === '?') return choose(a !== 0n ? second : third, place);
  if (operator === '&&') return a === 0n ? 0n : truth(choose(second, place));
  if (operator === '||') return a === 0n ? truth(choose(second, place)) : 1n;
  if (second === undefined) return unary[operator]?.(a);
  const b = calculate(second, place);
  const result = b === undefined ? undefined : binary[operator]?.(a, b);
  return result === undefined ? undefined : BigInt.asIntN(64, result);
}

function choose(chosen: Calculation | undefined, place: CalculationPlace): bigint | undefined {
  return chosen && calculate(chosen, place);
}

function truth(value: bigint | undefined): bigint | undefined {
  return value === undefined ? undefined : flag(value !== 0n);
}

function flag(value: boolean): bigint {
  return value ? 1n : 0n;
}

const unary: Readonly<Record<string, (a: bigint) => bigint>> = {
  '-': (a) => -a,
  '+': (a) => a,
  '!': (a) => flag(a === 0n),
  '~': (a) => ~a,
};

const binary: Readonly<Record<string, (a: bigint, b: bigint) => bigint | undefined>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? undefined : a / b),
  '%': (a, b) => (b === 0n ? undefined : a % b),
  '**': (a, b) => (b < 0n || b > 1000n ? undefined : a ** b),
  '<<': (a, b) => (b < 0n || b > 63n ? undefined : a << b),
  '>>': (a, b) => (b < 0n || b > 63n ? undefined : a >> b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '==': (a, b) => flag(a === b),
  '!=': (a, b) => flag(a !== b),
  '<': (a, b) => flag(a < b),
  '<=': (a, b) => flag(a <= b),
  '>': (a, b) => flag(a > b),
  '>=': (a, b) => flag(a >= b),
};
