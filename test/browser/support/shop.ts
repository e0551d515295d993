/** A small shop in TypeScript: the workspace that the design's mock-ups show. */

export const shop: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "type": "module", "private": true }\n',
  'tsconfig.json': `${JSON.stringify({ compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, allowImportingTsExtensions: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2023', types: [] }, include: ['src'] }, undefined, 2)}\n`,
  'README.md': '# Shop\n\nA cart, a receipt and an invoice.\n',
  'src/currency.ts': "export type Currency = 'EUR' | 'USD' | 'GBP';\n",
  'src/cart.ts': `import type { Currency } from './currency.ts';

export interface Item {
  name: string;
  cents: number;
}

/** What a list of items costs, in cents. */
export function total(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.cents, 0);
}

export function count(items: readonly Item[]): number {
  return items.length;
}

export function isEmpty(items: readonly Item[]): boolean {
  return items.length === 0;
}

/** Items that cost nothing, such as vouchers. */
export function free(items: readonly Item[]): Item[] {
  return items.filter((item) => item.cents === 0);
}

export const home: Currency = 'EUR';
`,
  'src/receipt.ts': `import { type Item, total } from './cart.ts';

export function receipt(items: readonly Item[]): string {
  const lines = items.map((item) => \`\${item.name} \${item.cents}\`);
  return [...lines, \`total \${total(items).toFixed(0)}\`].join('\\n');
}
`,
  'src/invoice.ts': `import { type Item, total } from './cart.ts';

const tax = 0.19;

export interface Invoice {
  net: number;
  tax: number;
}

export function invoice(items: readonly Item[]): Invoice {
  const net = total(items);
  return { net, tax: Math.round(total(items) * tax) };
}
`,
  'src/api/checkout.ts': `import { type Item, isEmpty, total } from '../cart.ts';

export function checkout(items: readonly Item[]): number {
  if (isEmpty(items)) return 0;
  const due: number = total(items);
  return due;
}
`,
  'src/api/routes.ts': `import { checkout } from './checkout.ts';

export const routes = { '/checkout': checkout };
`,
  'src/reports/daily.ts': `import { type Item, count } from '../cart.ts';

export function daily(items: readonly Item[]): string {
  return \`\${count(items)} items sold\`;
}
`,
  'test/cart.test.ts': `import { total } from '../src/cart.ts';

console.assert(total([]) === 0);
`,
};

/** The same in Python, as far as tests of another language need it. */
export const pythonShop: Readonly<Record<string, string>> = {
  'cart.py': 'def total(cents: list[int]) -> int:\n    return sum(cents)\n',
  'receipt.py': 'from cart import total\n\nprint(total([1, 2]))\n',
};
