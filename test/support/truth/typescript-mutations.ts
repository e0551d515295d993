/** Changes to the flawed TypeScript workspace, one for each way in which a change can reach a file. */
import type { MutationPlan, Stroke } from './mutation.ts';

export const typescriptPlans: readonly MutationPlan[] = [
  ['a wrong literal', 'break', at('pricing/tax', 'EUR: 0.19', "EUR: '0.19'")],
  ['a missing argument', 'break', at('app/main', "money(4, 'EUR')", 'money(4)')],
  ['an unknown name', 'break', at('app/checkout', 'withTax(discounted', 'withoutTax(discounted')],
  [
    'an error behind characters of two units',
    'break',
    at(
      'app/labels',
      'return badges[kind];',
      "const party = '🎉👩‍👩‍👧'; const count: number = '🎉'; return party + count;",
    ),
  ],
  [
    'a type that no longer infers',
    'break',
    at('pricing/discount', 'export const bulk: Rule = (order)', 'export const bulk = (order)'),
  ],
  [
    'a property that is read only',
    'break',
    at('app/main', 'orders.save(order);', "order.id = '2';\norders.save(order);"),
  ],

  ['mended where it is', 'mend', at('app/render', "'80'", '80')],
  [
    'mended where the type is declared',
    'mend',
    at('model/product', 'readonly price: Money;', 'readonly price: Money;\n  readonly stock: number;'),
    at('model/product', 'name, price };', 'name, price, stock: 0 };'),
  ],
  [
    'mended there, broken here',
    'mend',
    at('model/product', 'readonly price: Money;', 'readonly price: Money;\n  readonly stock: number;'),
  ],
  [
    'one error for another',
    'mend',
    at('model/product', 'readonly price: Money;', 'readonly price: Money;\n  readonly stock?: number;'),
  ],
  [
    'mended by the file that was missing',
    'mend',
    file('app/trail', "export function trail(id: string): string {\n  return 'seen: ' + id;\n}\n"),
  ],
  [
    'the missing file comes, with another signature',
    'mend',
    file('app/trail', "export function trail(id: number): string {\n  return 'seen: ' + id;\n}\n"),
  ],
  [
    'all mended at once',
    'mend',
    at('app/render', "'80'", '80'),
    at('app/stock', 'product.stock > 0', 'product.price.amount > 0'),
    file('app/trail', 'export const trail = (id: string): string => id;\n'),
  ],
  [
    'one mended, one made',
    'mend',
    at('app/render', "'80'", '80'),
    at('app/stock', '): boolean', '): string'),
  ],

  [
    'characters of two units before an old error',
    'move-error',
    at('app/render', 'export const width', '/* 🎉🎉 */ export const width'),
  ],
  [
    'an old error pushed down and in',
    'move-error',
    at('app/stock', '  return product', '\n\n      return product'),
  ],
  [
    'lines above and below an old error',
    'move-error',
    at('app/audit', 'import type', '// one\nimport type'),
    at('app/audit', '  return orders', '  // two\n  return orders'),
  ],

  ['a barrel drops a whole module', 'remove-export', at('core/index', "export * from './result.js';\n", '')],
  [
    'a barrel drops one name',
    'remove-export',
    at('core/index', "export { Collection } from './collection.js';\n", ''),
  ],
  [
    'a barrel hands on the type only',
    'remove-export',
    at('core/index', 'export { makeId }', 'export type { makeId }'),
  ],
  [
    'a default export gets a name',
    'remove-export',
    at('pricing/discount', 'export default function', 'export function'),
  ],
  [
    'an export behind two barrels',
    'remove-export',
    at('model/money', 'export function times', 'function times'),
  ],

  [
    'a further parameter',
    'change-signature',
    at(
      'model/money',
      'amount: number, currency: Currency): Money',
      'amount: number, currency: Currency, exact: boolean): Money',
    ),
  ],
  [
    'a further parameter of a default export',
    'change-signature',
    at('pricing/discount', 'rules: readonly Rule[])', 'rules: readonly Rule[], strict: boolean)'),
  ],
  [
    'another return type',
    'change-signature',
    at('model/money', 'b: Money): Money', 'b: Money): Money | undefined'),
  ],
  [
    'another type of a field',
    'change-signature',
    at('model/money', 'readonly amount: number;', 'readonly amount: string;'),
  ],
  [
    'another name of a field',
    'change-signature',
    at('model/money', 'readonly currency: Currency;', 'readonly unit: Currency;'),
  ],
  [
    'a further field',
    'change-signature',
    at('model/order', 'readonly count: number;', 'readonly count: number;\n  readonly note: string;'),
  ],
  [
    'a further member of a union',
    'change-signature',
    at(
      'model/order',
      "| { readonly kind: 'draft' }",
      "| { readonly kind: 'draft' }\n  | { readonly kind: 'lost' }",
    ),
  ],
  [
    'a member of a union less',
    'change-signature',
    at('model/order', "  | { readonly kind: 'paid'; readonly on: Date }\n", ''),
  ],
  [
    'a narrower constraint',
    'change-signature',
    at('core/collection', 'readonly id: string }', 'readonly id: string; readonly name: string }'),
  ],
  ['a type parameter loses its default', 'change-signature', at('core/result', 'E = string', 'E')],
  [
    'a further abstract method',
    'change-signature',
    at(
      'store/repository',
      'abstract save(item: T): void;',
      'abstract save(item: T): void;\n  abstract size(): number;',
    ),
  ],
  [
    'a method of the base class goes',
    'change-signature',
    at('store/repository', 'protected missing', 'protected absent'),
  ],
  [
    'an override that does not fit',
    'change-signature',
    at('store/memory-repository', "override find(id: T['id'])", 'override find(id: number)'),
  ],
  ['a literal type grows', 'change-signature', at('model/money', "'EUR' | 'USD'", "'EUR' | 'USD' | 'JPY'")],

  [
    'a new file and who imports it',
    'new-file',
    file('app/receipt', "import { render } from './render.js';\nexport const receipt = render;\n"),
    at('app/main', 'import { renderAll }', "import { receipt } from './receipt.js';\nimport { renderAll }"),
    at('app/main', 'export const page', 'export const slip = receipt(order);\nexport const page'),
  ],
  [
    'a new file and who misuses it',
    'new-file',
    file('app/receipt', "import { render } from './render.js';\nexport const receipt = render;\n"),
    at('app/main', 'import { renderAll }', "import { receipts } from './receipt.js';\nimport { renderAll }"),
  ],
  [
    'a new file with an error',
    'new-file',
    file('app/extra', "import { due } from './main.js';\nexport const twice: string = due;\n"),
  ],
  [
    'a new file beside a directory of its name',
    'new-file',
    file('store', "export const nothing = 'here';\n"),
  ],
  [
    'a new global',
    'new-file',
    file('globals.d', 'declare const edition: string;\n'),
    at('app/main', 'export const page', 'export const which = edition;\nexport const page'),
  ],
  [
    'a new module that alters another',
    'new-file',
    file(
      'model/augment',
      "export {};\ndeclare module './product.js' {\n  interface Product {\n    readonly stock: number;\n  }\n}\n",
    ),
  ],

  ['the root of all models goes', 'delete-file', { remove: 'src/model/money.ts' }],
  ['a barrel goes', 'delete-file', { remove: 'src/store/index.ts' }],
  ['a file goes with its error', 'delete-file', { remove: 'src/app/audit.ts' }],

  [
    'renamed, its importers too',
    'rename-file',
    { rename: 'src/pricing/tax.ts', to: 'src/pricing/taxes.ts' },
    at('app/checkout', 'pricing/tax.js', 'pricing/taxes.js'),
  ],
  ['renamed, its importers not', 'rename-file', { rename: 'src/pricing/tax.ts', to: 'src/pricing/taxes.ts' }],
  ['renamed into what was missing', 'rename-file', { rename: 'src/app/labels.ts', to: 'src/app/trail.ts' }],
  [
    'renamed and moved with its own imports',
    'rename-file',
    { rename: 'src/app/labels.ts', to: 'src/labels.ts' },
    at('labels', '../model/order.js', './model/order.js'),
    at('app/render', './labels.js', '../labels.js'),
  ],

  ['a brace is missing', 'syntax', at('model/order', 'switch (state.kind) {', 'switch (state.kind)')],
  ['a string does not end', 'syntax', at('app/labels', "'📦' }", "'📦 }")],
  ['a list does not end', 'syntax', at('app/main', 'count: 2 }] };', 'count: 2 } };')],
  [
    'a stray word in a barrel',
    'syntax',
    at('core/index', 'export { Collection }', 'export default default { Collection }'),
  ],
  [
    'a half-written call at the end',
    'syntax',
    at('pricing/tax', 'withTax(net: Money): Money {', 'withTax(net: Money): Money {\n  times(net,'),
  ],
  [
    'a conflict marker',
    'syntax',
    at('app/audit', 'export function audit', '<<<<<<< ours\nexport function audit'),
  ],

  [
    'carriage returns in a file with an error',
    'line-ends',
    { edit: 'src/app/stock.ts', replace: "index.js';\n\nexport", with: "index.js';\r\n\r\nexport" },
  ],

  [
    'a name changed everywhere',
    'cancel',
    at('model/order', 'function total(', 'function sum('),
    at('model/index', 'describe, total', 'describe, sum'),
    at('pricing/discount', 'times, total }', 'times, sum }'),
    at('pricing/discount', 'times(total(', 'times(sum('),
    at('app/render', 'total }', 'sum }'),
    at('app/render', 'total(order)', 'sum(order)'),
  ],
  [
    'a signature and all its callers',
    'cancel',
    at('app/labels', "badge(kind: OrderState['kind'])", 'badge(state: OrderState)'),
    at('app/labels', 'badges[kind];', 'badges[state.kind];'),
    at('app/render', 'badge(order.state.kind)', 'badge(order.state)'),
  ],
  [
    'a field of a class and its subclass',
    'cancel',
    at('store/repository', 'protected missing', 'protected absent'),
    at('store/memory-repository', 'this.missing', 'this.absent'),
  ],
  ['nothing at all', 'no-effect', at('model/money', 'Currency', 'Currency')],
  ['blanks only', 'no-effect', at('core/collection', '    return this;', '    return   this ;')],
  ['another body of the same type', 'no-effect', at('pricing/tax', '1 + rates', '1.5 + rates')],
  [
    'an import for types alone becomes a plain one',
    'no-effect',
    at('model/product', 'import type { Money }', 'import { type Money }'),
  ],
];

function at(module: string, replace: string, replacement: string): Stroke {
  return { edit: `src/${module}.ts`, replace, with: replacement };
}

function file(module: string, text: string): Stroke {
  return { write: `src/${module}.ts`, text };
}
