/**
 * A layered TypeScript workspace: generics, a barrel on a barrel, type-only imports, a class and its
 * subclass, a discriminated union, a default export, a file with carriage returns.
 *
 * Invariant: the clean variant compiles without a word; the flawed one has one error in each of its three
 * extra or altered files.
 */
import { type Variant, type WorkspaceFiles, withCarriageReturns } from './workspace-files.ts';

export function typescriptFiles(variant: Variant): WorkspaceFiles {
  return variant === 'clean' ? clean : { ...clean, ...flaws };
}

const render = `import { describe, type Order, total } from '../model/index.js';
import { badge } from './labels.js';

/** One line about an order. */
export function render(order: Order): string {
  const { amount, currency } = total(order);
  return \`\${badge(order.state.kind)} \${describe(order.state)}: \${amount.toFixed(2)} \${currency}\`;
}

export function renderAll(orders: readonly Order[]): string {
  return orders.map(render).join('\\n');
}
`;

const clean: WorkspaceFiles = {
  'package.json': '{ "name": "orders", "private": true, "type": "module" }\n',
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2022",
    "lib": ["es2022"],
    "types": [],
    "module": "nodenext",
    "strict": true,
    "noEmit": true,
    "noImplicitOverride": true
  },
  "include": ["src"]
}
`,
  'src/core/result.ts': `/** What came of something that may fail. */
export type Result<T, E = string> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: E };

export function ok<T>(value: T): Result<T, never> {
  return { kind: 'ok', value };
}

export function failed<E>(error: E): Result<never, E> {
  return { kind: 'failed', error };
}

export function mapResult<T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> {
  return result.kind === 'ok' ? ok(change(result.value)) : result;
}

export function valueOr<T, E>(result: Result<T, E>, fallback: T): T {
  return result.kind === 'ok' ? result.value : fallback;
}
`,
  'src/core/identity.ts': `export type Id<Name extends string> = string & { readonly idOf?: Name };

export interface Entity<Name extends string> {
  readonly id: Id<Name>;
}

export function makeId<Name extends string>(text: string): Id<Name> {
  return text;
}
`,
  'src/core/collection.ts': `/** Items by their id, in the order they came. */
export class Collection<T extends { readonly id: string }> {
  readonly #items = new Map<string, T>();

  add(item: T): this {
    this.#items.set(item.id, item);
    return this;
  }

  get(id: string): T | undefined {
    return this.#items.get(id);
  }

  all(): readonly T[] {
    return [...this.#items.values()];
  }

  groupBy<K extends string>(key: (item: T) => K): ReadonlyMap<K, readonly T[]> {
    const groups = new Map<K, T[]>();
    for (const item of this.all()) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
    return groups;
  }
}
`,
  'src/core/index.ts': `export { Collection } from './collection.js';
export type { Entity, Id } from './identity.js';
export { makeId } from './identity.js';
export * from './result.js';
`,
  'src/model/money.ts': `export type Currency = 'EUR' | 'USD';

export interface Money {
  readonly amount: number;
  readonly currency: Currency;
}

export function money(amount: number, currency: Currency): Money {
  return { amount, currency };
}

export function plus(a: Money, b: Money): Money {
  return money(a.amount + b.amount, a.currency);
}

export function times(a: Money, factor: number): Money {
  return money(a.amount * factor, a.currency);
}
`,
  'src/model/product.ts': `import { type Entity, makeId } from '../core/index.js';
import type { Money } from './money.js';

export interface Product extends Entity<'product'> {
  readonly name: string;
  readonly price: Money;
  readonly tags?: readonly string[];
}

export function product(name: string, price: Money): Product {
  return { id: makeId<'product'>(name), name, price };
}
`,
  'src/model/order.ts': `import type { Entity } from '../core/index.js';
import { type Money, money, plus, times } from './money.js';
import type { Product } from './product.js';

export type OrderState =
  | { readonly kind: 'draft' }
  | { readonly kind: 'paid'; readonly on: Date }
  | { readonly kind: 'sent'; readonly on: Date; readonly parcel: string };

export interface Line {
  readonly product: Product;
  readonly count: number;
}

export interface Order extends Entity<'order'> {
  readonly state: OrderState;
  readonly lines: readonly Line[];
}

export function total(order: Order): Money {
  return order.lines
    .map(({ product, count }) => times(product.price, count))
    .reduce(plus, money(0, 'EUR'));
}

export function describe(state: OrderState): string {
  switch (state.kind) {
    case 'draft':
      return 'not paid yet';
    case 'paid':
      return \`paid on \${state.on.toISOString()}\`;
    case 'sent':
      return \`sent as \${state.parcel}\`;
  }
}
`,
  'src/model/index.ts': `export * from './money.js';
export type { Line, Order, OrderState } from './order.js';
export { describe, total } from './order.js';
export * from './product.js';
`,
  'src/store/repository.ts': `import type { Entity, Result } from '../core/index.js';

/** Where entities are kept. */
export abstract class Repository<T extends Entity<string>> {
  abstract find(id: T['id']): Result<T>;
  abstract save(item: T): void;

  protected missing(id: string): string {
    return \`nothing is kept as \${id}\`;
  }
}
`,
  'src/store/memory-repository.ts': `import { Collection, type Entity, failed, ok, type Result } from '../core/index.js';
import { Repository } from './repository.js';

export class MemoryRepository<T extends Entity<string>> extends Repository<T> {
  readonly items = new Collection<T>();

  override find(id: T['id']): Result<T> {
    const item = this.items.get(id);
    return item === undefined ? failed(this.missing(id)) : ok(item);
  }

  override save(item: T): void {
    this.items.add(item);
  }
}
`,
  'src/store/index.ts': `export { MemoryRepository } from './memory-repository.js';
export { Repository } from './repository.js';
`,
  'src/pricing/discount.ts': `import { type Money, type Order, times, total } from '../model/index.js';

/** A share of the price that is taken off, between nothing and all. */
export type Rule = (order: Order) => number;

export const bulk: Rule = (order) => (order.lines.length > 3 ? 0.1 : 0);

export default function discounted(order: Order, rules: readonly Rule[]): Money {
  const off = rules.reduce((sum, rule) => sum + rule(order), 0);
  return times(total(order), 1 - Math.min(off, 1));
}
`,
  'src/pricing/tax.ts': `import { type Currency, type Money, times } from '../model/index.js';

export const rates = { EUR: 0.19, USD: 0.07 } as const satisfies Record<Currency, number>;

export function withTax(net: Money): Money {
  return times(net, 1 + rates[net.currency]);
}
`,
  'src/app/checkout.ts': `import { mapResult, type Result } from '../core/index.js';
import type { Money, Order } from '../model/index.js';
import discounted, { bulk } from '../pricing/discount.js';
import { withTax } from '../pricing/tax.js';
import type { Repository } from '../store/index.js';

export class Checkout {
  readonly #orders: Repository<Order>;

  constructor(orders: Repository<Order>) {
    this.#orders = orders;
  }

  price(id: string): Result<Money> {
    return mapResult(this.#orders.find(id), (order) => withTax(discounted(order, [bulk])));
  }

  pay(order: Order, on: Date): Order {
    const paid: Order = { ...order, state: { kind: 'paid', on } };
    this.#orders.save(paid);
    return paid;
  }
}
`,
  'src/app/labels.ts': withCarriageReturns(`import type { OrderState } from '../model/order.js';

const badges: Record<OrderState['kind'], string> = { draft: '📝', paid: '💶', sent: '📦' };

export function badge(kind: OrderState['kind']): string {
  return badges[kind];
}
`),
  'src/app/render.ts': render,
  'src/app/main.ts': `import { makeId, valueOr } from '../core/index.js';
import { money, type Order, product } from '../model/index.js';
import { MemoryRepository } from '../store/index.js';
import { Checkout } from './checkout.js';
import { renderAll } from './render.js';

const orders = new MemoryRepository<Order>();
const tea = product('tea', money(4, 'EUR'));
const order: Order = { id: makeId('1'), state: { kind: 'draft' }, lines: [{ product: tea, count: 2 }] };
orders.save(order);

const checkout = new Checkout(orders);
checkout.pay(order, new Date(0));
export const due = valueOr(checkout.price(order.id), money(0, 'EUR'));
export const page = renderAll(orders.items.all());
`,
};

const flaws: WorkspaceFiles = {
  'src/app/render.ts': `${render}
export const width: number = '80';
`,
  'src/app/audit.ts': `import type { Order } from '../model/index.js';
import { trail } from './trail.js';

export function audit(orders: readonly Order[]): string {
  return orders.map((order) => trail(order.id)).join('\\n');
}
`,
  'src/app/stock.ts': `import type { Product } from '../model/index.js';

export function isAvailable(product: Product): boolean {
  return product.stock > 0;
}
`,
};
