/** From a name to where it is declared, which some languages keep apart from its definition. */
import type { Tool } from '../tool.ts';
import { goTo } from './go-to.ts';

export const goToDeclaration: Tool = goTo({
  name: 'go_to_declaration',
  title: 'Go to Declaration',
  description:
    'Where the name at a position is declared, such as the header in C or C++. Lines and columns count from 1.',
  kind: 'declaration',
  fallback: 'none',
});
