/** The edits of the demonstration and what each shows. */
export interface Scene {
  readonly sample: 'typescript' | 'python';
  readonly title: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const scenes: readonly Scene[] = [
  {
    sample: 'typescript',
    title: 'A breaking edit: the sum starts with a string.',
    file: 'cart.ts',
    find: 'sum + item.cents, 0)',
    replace: "sum + item.cents, '0')",
  },
  {
    sample: 'typescript',
    title: 'A clean edit: the same sum as a loop.',
    file: 'cart.ts',
    find: 'return items.reduce((sum, item) => sum + item.cents, 0);',
    replace: 'let sum = 0;\n  for (const item of items) sum += item.cents;\n  return sum;',
  },
  {
    sample: 'typescript',
    title: 'An edit that breaks another file: total() returns a string, and cart.ts itself has no error.',
    file: 'cart.ts',
    find: 'number {\n  return items.reduce((sum, item) => sum + item.cents, 0);',
    replace: 'string {\n  return String(items.reduce((sum, item) => sum + item.cents, 0));',
  },
  {
    sample: 'python',
    title: 'A breaking edit: a misspelt name.',
    file: 'cart.py',
    find: 'item.cents for item',
    replace: 'item.cent for item',
  },
  {
    sample: 'python',
    title: 'A clean edit: a second field with a default.',
    file: 'cart.py',
    find: '    cents: int\n',
    replace: '    cents: int\n    quantity: int = 1\n',
  },
  {
    sample: 'python',
    title: 'An edit that breaks another file: total() returns a string, and cart.py itself has no error.',
    file: 'cart.py',
    find: '-> int:\n    return sum(item.cents for item in items)',
    replace: '-> str:\n    return str(sum(item.cents for item in items))',
  },
];
