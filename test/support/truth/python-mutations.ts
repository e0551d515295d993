/** Changes to the flawed Python workspace, one for each way in which a change can reach a file. */
import type { MutationPlan, Stroke } from './mutation.ts';

export const pythonPlans: readonly MutationPlan[] = [
  ['a wrong literal', 'break', at('pricing/tax', '"EUR": 0.19', '"EUR": "0.19"')],
  ['a missing argument', 'break', at('app/main', 'Line(tea, 2)', 'Line(tea)')],
  ['an unknown name', 'break', at('app/checkout', 'tax.with_tax', 'tax.without_tax')],
  [
    'an error behind characters of two units',
    'break',
    at(
      'app/labels',
      'return BADGES[kind]',
      'party = "🎉👩‍👩‍👧"; count: int = "🎉"; return party + str(count)',
    ),
  ],
  ['a key that a row does not have', 'break', at('model/product', 'row["amount"]', 'row["price"]')],
  [
    'a frozen field is set',
    'break',
    at('app/main', 'orders.save(order)', 'order.id = Id("2")\norders.save(order)'),
  ],

  ['mended where it is', 'mend', at('app/render', '"80"', '80')],
  [
    'mended where the class is declared',
    'mend',
    at('model/product', '    price: Money\n', '    price: Money\n    stock: int = 0\n'),
  ],
  [
    'mended there, broken here',
    'mend',
    at('model/product', '    price: Money\n', '    price: Money\n    stock: int\n'),
  ],
  [
    'one error for another',
    'mend',
    at('model/product', '    price: Money\n', '    price: Money\n    stock: int | None = None\n'),
  ],
  [
    'mended by the file that was missing',
    'mend',
    file('app/trail', 'def trail(id: str) -> str:\n    return f"seen: {id}"\n'),
  ],
  [
    'the missing file comes, with another signature',
    'mend',
    file('app/trail', 'def trail(id: int) -> str:\n    return f"seen: {id}"\n'),
  ],
  [
    'all mended at once',
    'mend',
    at('app/render', '"80"', '80'),
    at('app/stock', 'product.stock > 0', 'product.price.amount > 0'),
    file('app/trail', 'def trail(id: str) -> str:\n    return id\n'),
  ],
  [
    'one mended, one made',
    'mend',
    at('app/render', '"80"', '80'),
    at('app/stock', 'product.stock > 0', 'product.name > 0'),
  ],

  [
    'characters of two units before an old error',
    'move-error',
    at('app/render', 'width: int', 'party = "🎉🎉"; width: int'),
  ],
  [
    'an old error pushed down and in',
    'move-error',
    at('app/stock', '    return product', '    if True:\n\n        return product'),
  ],
  [
    'lines above and below an old error',
    'move-error',
    at('app/audit', 'from shop', '# one\nfrom shop'),
    at('app/audit', '    return', '    # two\n    return'),
  ],

  [
    'a package drops a name it handed on',
    'remove-export',
    at('core/__init__', 'from .collection import Collection\n', ''),
  ],
  [
    'a package drops what another hands on',
    'remove-export',
    at('model/__init__', 'from .product import Product, ProductRow, from_row\n', ''),
  ],
  ['a package forgets everything', 'remove-export', file('store/__init__', '')],
  ['a function behind two packages', 'remove-export', at('model/money', 'def times', 'def multiplied')],

  [
    'a further parameter',
    'change-signature',
    at('model/money', 'a: Money, factor: float)', 'a: Money, factor: float, exact: bool)'),
  ],
  [
    'a further parameter by name',
    'change-signature',
    at('pricing/discount', 'rules: Sequence[Rule])', 'rules: Sequence[Rule], *, strict: bool)'),
  ],
  ['another return type', 'change-signature', at('pricing/tax', '-> Money:', '-> Money | None:')],
  ['another type of a field', 'change-signature', at('model/money', 'amount: float', 'amount: str')],
  [
    'another name of a field',
    'change-signature',
    at('model/money', '    currency: Currency', '    unit: Currency'),
  ],
  [
    'a further field',
    'change-signature',
    at('model/order', '    count: int\n', '    count: int\n    note: str\n'),
  ],
  [
    'a further member of a union',
    'change-signature',
    at(
      'model/order',
      'State = Union[Draft, Paid, Sent]',
      '@dataclass(frozen=True)\nclass Lost:\n    kind: Literal["lost"] = "lost"\n\n\nState = Union[Draft, Paid, Sent, Lost]',
    ),
  ],
  [
    'a member of a union less',
    'change-signature',
    at('model/order', 'Union[Draft, Paid, Sent]', 'Union[Draft, Sent]'),
  ],
  [
    'a narrower bound',
    'change-signature',
    at(
      'core/identity',
      '    def id(self) -> Id: ...\n',
      '    def id(self) -> Id: ...\n\n    @property\n    def title(self) -> str: ...\n',
    ),
  ],
  [
    'a further key of a row',
    'change-signature',
    at('model/product', '    amount: float\n', '    amount: float\n    weight: float\n'),
  ],
  [
    'a further abstract method',
    'change-signature',
    at(
      'store/repository',
      '    def missing',
      '    @abstractmethod\n    def size(self) -> int: ...\n\n    def missing',
    ),
  ],
  [
    'a method of the base class goes',
    'change-signature',
    at('store/repository', 'def missing', 'def absent'),
  ],
  [
    'an override that does not fit',
    'change-signature',
    at('store/memory', 'def find(self, id: Id)', 'def find(self, id: int)'),
  ],
  [
    'a protocol asks for more',
    'change-signature',
    at(
      'pricing/discount',
      'def __call__(self, order: Order)',
      'def __call__(self, order: Order, strict: bool)',
    ),
  ],
  [
    'a literal type grows',
    'change-signature',
    at('model/order', 'Literal["sent"] = "sent"', 'Literal["sent", "lost"] = "sent"'),
  ],

  [
    'a new file and who imports it',
    'new-file',
    file('app/receipt', 'from .render import render\n\nreceipt = render\n'),
    at('app/main', 'from .render', 'from .receipt import receipt\nfrom .render'),
    at('app/main', 'page =', 'slip = receipt(order)\npage ='),
  ],
  [
    'a new file and who misuses it',
    'new-file',
    file('app/receipt', 'from .render import render\n\nreceipt = render\n'),
    at('app/main', 'from .render', 'from .receipt import receipts\nfrom .render'),
  ],
  ['a new file with an error', 'new-file', file('app/extra', 'from .main import due\n\ntwice: str = due\n')],
  [
    'a stub that hides a module',
    'new-file',
    {
      write: 'shop/pricing/tax.pyi',
      text: 'from shop.model import Money\n\ndef with_tax(net: Money, year: int) -> Money: ...\n',
    },
  ],
  [
    'a package that hides a module',
    'new-file',
    file('app/labels/__init__', 'def badge(kind: int) -> str:\n    return str(kind)\n'),
  ],

  ['the root of all models goes', 'delete-file', { remove: 'shop/model/money.py' }],
  ['a package loses its face', 'delete-file', { remove: 'shop/store/__init__.py' }],
  ['a file goes with its error', 'delete-file', { remove: 'shop/app/audit.py' }],

  [
    'renamed, its importers too',
    'rename-file',
    { rename: 'shop/pricing/tax.py', to: 'shop/pricing/taxes.py' },
    at('app/checkout', 'import tax', 'import taxes as tax'),
  ],
  [
    'renamed, its importers not',
    'rename-file',
    { rename: 'shop/pricing/tax.py', to: 'shop/pricing/taxes.py' },
  ],
  ['renamed into what was missing', 'rename-file', { rename: 'shop/app/labels.py', to: 'shop/app/trail.py' }],
  [
    'renamed and moved',
    'rename-file',
    { rename: 'shop/app/labels.py', to: 'shop/labels.py' },
    at('app/render', 'from .labels', 'from ..labels'),
  ],

  [
    'a colon is missing',
    'syntax',
    at('model/order', 'def total(order: Order) -> Money:', 'def total(order: Order) -> Money'),
  ],
  ['a string does not end', 'syntax', at('app/labels', '"📦"}', '"📦}')],
  ['a call does not end', 'syntax', at('app/main', '(Line(tea, 2),))', '(Line(tea, 2),)')],
  ['an import without names', 'syntax', at('core/__init__', 'import HasId, Id', 'import')],
  ['a line too far in', 'syntax', at('pricing/tax', '    return times', '        return times\n   x = 1')],
  ['a conflict marker', 'syntax', at('app/audit', 'def audit', '<<<<<<< ours\ndef audit')],

  [
    'carriage returns in a file with an error',
    'line-ends',
    { edit: 'shop/app/stock.py', replace: 'Product\n\n\ndef', with: 'Product\r\n\r\n\r\ndef' },
  ],

  [
    'a name changed everywhere',
    'cancel',
    at('model/order', 'def total(', 'def total_of('),
    at('model/__init__', 'describe, total\n', 'describe, total_of\n'),
    at('model/__init__', '"total",', '"total_of",'),
    at('pricing/discount', 'times, total\n', 'times, total_of\n'),
    at('pricing/discount', 'times(total(', 'times(total_of('),
    at('app/render', 'describe, total\n', 'describe, total_of\n'),
    at('app/render', 'total(order)', 'total_of(order)'),
  ],
  [
    'a signature and all its callers',
    'cancel',
    at('model/money', 'a: Money, factor: float)', 'a: Money, factor: float, exact: bool)'),
    at('model/order', 'times(line.product.price, line.count)', 'times(line.product.price, line.count, True)'),
    at('pricing/discount', '1 - min(off, 1.0))', '1 - min(off, 1.0), True)'),
    at('pricing/tax', '1 + RATES[net.currency])', '1 + RATES[net.currency], True)'),
  ],
  [
    'a method of a class and its subclass',
    'cancel',
    at('store/repository', 'def missing', 'def absent'),
    at('store/memory', 'self.missing', 'self.absent'),
  ],
  ['nothing at all', 'no-effect', at('model/money', 'Currency', 'Currency')],
  ['blanks only', 'no-effect', at('core/collection', 'return list(', 'return  list( ')],
  ['another body of the same type', 'no-effect', at('pricing/tax', '1 + RATES', '1.5 + RATES')],
  [
    'an absolute import becomes a relative one',
    'no-effect',
    at('app/render', 'from shop.model', 'from ..model'),
  ],
];

function at(module: string, replace: string, replacement: string): Stroke {
  return { edit: `shop/${module}.py`, replace, with: replacement };
}

function file(module: string, text: string): Stroke {
  return { write: `shop/${module}.py`, text };
}
