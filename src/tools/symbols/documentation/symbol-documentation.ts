/** The documentation of a symbol and its source. */
export interface SymbolDocumentation {
  readonly source: 'toolchain' | 'hover';
  readonly doc: string;
  readonly signature: string;
}
