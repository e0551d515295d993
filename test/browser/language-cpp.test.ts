import { testPageLanguage } from './support/page-language.ts';

testPageLanguage({
  language: 'C++',
  programs: ['clangd'],
  files: {
    'compile_flags.txt': '-std=c++17\n-Wall\n-I.\n',
    'cart.hpp': '#pragma once\n\n/// What two items cost.\nint total(int one, int other);\n',
    'receipt.cpp': '#include "cart.hpp"\n\nint line() {\n  return total(1, 2);\n}\n',
    'checkout.cpp': '#include "cart.hpp"\n\nint due() { return total(3, 4); }\n',
  },
  declares: 'cart.hpp',
  uses: 'receipt.cpp',
  closed: 'checkout.cpp',
  symbol: 'total',
  declaration: 'total(int one',
  use: 'total(1, 2)',
  newName: 'sum_of',
  says: 'What two items cost.',
  error: { after: 'int line() {', type: ' int a = missing;', message: /undeclared identifier/ },
  begun: { after: 'int line() {', type: ' tot' },
});
