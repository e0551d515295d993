/** What is written about a symbol, and who said it. */
export interface SymbolDocumentation {
  readonly source: 'toolchain' | 'hover';
  readonly doc: string;
  readonly signature: string;
}
