/** A small shop in two languages, whose references are asked for. */
export const typescriptShop = {
  'package.json': '{}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      lib: ['es2023'],
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
    },
  }),
  'lib/price.ts':
    'export function price(cents: number): number {\n  return cents;\n}\n\nexport class Till {\n  ring(): number {\n    return price(1);\n  }\n}\n\nexport class Bell {\n  ring(): number {\n    return 0;\n  }\n}\n',
  // Says which of the two is rung, without a mention of ringing.
  'lib/choice.ts':
    "import { Bell, Till } from './price';\n\nexport const chosen = (): Till => new Till();\nexport type Other = Bell;\n",
  'app/desk.ts':
    "import { chosen } from '../lib/choice';\n\nexport const heard = (): number => chosen().ring();\n",
  'app/cart.ts': "import { price } from '../lib/price';\n\nexport const total = (): number => price(100);\n",
  'app/plain.ts': 'export const plain = 1;\n',
};

export const pythonShop = {
  'pyrightconfig.json': '{}',
  'lib/__init__.py': '',
  'lib/price.py':
    'def price(cents: int) -> int:\n    return cents\n\n\nclass Till:\n    def ring(self) -> int:\n        return price(1)\n\n\nclass Bell:\n    def ring(self) -> int:\n        return 0\n',
  'lib/choice.py': 'from lib.price import Till\n\n\ndef chosen() -> Till:\n    return Till()\n',
  'app/__init__.py': '',
  'app/desk.py': 'from lib.choice import chosen\n\n\ndef heard() -> int:\n    return chosen().ring()\n',
  'app/cart.py': 'from lib.price import price\n\n\ndef total() -> int:\n    return price(100)\n',
  'app/plain.py': 'plain = 1\n',
};
