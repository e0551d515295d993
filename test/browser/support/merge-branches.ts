/** Branches of the shop: two that collide in meaning, two that collide in text, and one that goes with all of them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '../../support/git-workspace.ts';

type Edit = (text: string) => string;

const branches: readonly { readonly name: string; readonly files: Readonly<Record<string, Edit>> }[] = [
  {
    // Every present use of the total takes a text as well.
    name: 'feat/money',
    files: {
      'src/cart.ts': (text) =>
        text
          .replace(
            'readonly Item[]): number {\n  return items.reduce',
            'readonly Item[]): string {\n  return items.reduce',
          )
          .replace('sum + item.cents, 0);', 'sum + item.cents, 0).toFixed(2);'),
      'src/receipt.ts': (text) => text.replace('total(items).toFixed(0)', 'total(items)'),
      'src/invoice.ts': (text) =>
        text
          .replace('const net = total(items);', 'const net = Number(total(items));')
          .replace('total(items) * tax', 'net * tax'),
      'src/api/checkout.ts': (text) => text.replace('= total(items);', '= Number(total(items));'),
    },
  },
  {
    name: 'feat/discounts',
    files: {
      'src/discount.ts': () =>
        "import { type Item, total } from './cart.ts';\n\nexport function discount(items: readonly Item[]): number {\n  return total(items) * 0.1;\n}\n",
    },
  },
  {
    name: 'feat/names',
    files: {
      'src/name.ts': () =>
        "import type { Item } from './cart.ts';\n\nexport const names = (items: readonly Item[]): string[] => items.map(({ name }) => name);\n",
    },
  },
  {
    name: 'fix/rounding',
    files: {
      'src/cart.ts': (text) => text.replace('sum + item.cents, 0);', 'sum + Math.round(item.cents), 0);'),
    },
  },
];

/** Makes the branches on the current one, which stays checked out. */
export async function branchesOf(root: string): Promise<void> {
  const current = (await gitIn(root, 'branch', '--show-current')).trim();
  for (const { name, files } of branches) {
    await gitIn(root, 'checkout', '-q', '-b', name, current);
    for (const [path, edit] of Object.entries(files)) {
      const file = join(root, path);
      const before = await readFile(file, 'utf8').catch(() => '');
      await writeFile(file, edit(before));
    }
    await gitIn(root, 'add', '-A');
    await gitIn(root, 'commit', '-q', '-m', name);
  }
  await gitIn(root, 'checkout', '-q', current);
}
