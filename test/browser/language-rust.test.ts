import { testPageLanguage } from './support/page-language.ts';

testPageLanguage({
  language: 'Rust',
  programs: ['cargo', 'rust-analyzer'],
  files: {
    'Cargo.toml':
      '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\npath = "src/lib.rs"\n',
    'src/lib.rs': 'pub mod cart;\npub mod receipt;\npub mod checkout;\n',
    'src/cart.rs':
      '/// What all items cost.\npub fn total(cents: &[i32]) -> i32 {\n    cents.iter().sum()\n}\n',
    'src/receipt.rs': 'use crate::cart;\n\npub fn line(cents: &[i32]) -> i32 {\n    cart::total(cents)\n}\n',
    'src/checkout.rs': 'use crate::cart;\n\npub fn due() -> i32 {\n    cart::total(&[1])\n}\n',
  },
  declares: 'src/cart.rs',
  uses: 'src/receipt.rs',
  closed: 'src/checkout.rs',
  symbol: 'total',
  declaration: 'total(cents: &[i32])',
  use: 'total(cents)',
  newName: 'sum_of',
  says: 'What all items cost.',
  error: {
    after: 'pub fn line(cents: &[i32]) -> i32 {',
    type: ' let a: i32 = "a";',
    message: /expected i32/,
  },
  begun: { after: 'pub fn line(cents: &[i32]) -> i32 {', type: ' cart::to' },
});
