/** The edits of the demonstration: each a change somebody might make, and what it is meant to show. */
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
    title: 'A breaking edit: the sum starts from a text.',
    file: 'cart.ts',
    find: 'sum + item.cents, 0)',
    replace: "sum + item.cents, '0')",
  },
  {
    sample: 'typescript',
    title: 'A clean edit: the same sum, written as a loop would be.',
    file: 'cart.ts',
    find: 'return items.reduce((sum, item) => sum + item.cents, 0);',
    replace: 'let sum = 0;\n  for (const item of items) sum += item.cents;\n  return sum;',
  },
  {
    sample: 'typescript',
    title: 'An edit that breaks another file: total() answers a text, and nothing in cart.ts minds.',
    file: 'cart.ts',
    find: 'number {\n  return items.reduce((sum, item) => sum + item.cents, 0);',
    replace: 'string {\n  return String(items.reduce((sum, item) => sum + item.cents, 0));',
  },
  {
    sample: 'python',
    title: 'A breaking edit: a name is mistyped.',
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
    title: 'An edit that breaks another file: total() answers a text, and nothing in cart.py minds.',
    file: 'cart.py',
    find: '-> int:\n    return sum(item.cents for item in items)',
    replace: '-> str:\n    return str(sum(item.cents for item in items))',
  },
];
