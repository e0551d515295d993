import { testPageLanguage } from './support/page-language.ts';

testPageLanguage({
  language: 'Go',
  programs: ['go', 'gopls'],
  files: {
    'go.mod': 'module example.test/shop\n\ngo 1.21\n',
    'cart/cart.go':
      'package cart\n\n// Total is what all items cost.\nfunc Total(cents []int) int {\n\tsum := 0\n\tfor _, each := range cents {\n\t\tsum += each\n\t}\n\treturn sum\n}\n',
    'receipt/receipt.go':
      'package receipt\n\nimport "example.test/shop/cart"\n\nfunc Line(cents []int) int {\n\treturn cart.Total(cents)\n}\n',
    'checkout/checkout.go':
      'package checkout\n\nimport "example.test/shop/cart"\n\nvar Due int = cart.Total([]int{1})\n',
  },
  declares: 'cart/cart.go',
  uses: 'receipt/receipt.go',
  closed: 'checkout/checkout.go',
  symbol: 'Total',
  declaration: 'Total(cents []int)',
  use: 'Total(cents)',
  newName: 'Sum',
  says: 'Total is what all items cost.',
  error: { after: 'cart.Total(cents)', type: ' + "a"', message: /mismatched types|cannot convert/ },
  begun: { after: 'cart.Total(cents)', type: ' + cart.To' },
});
