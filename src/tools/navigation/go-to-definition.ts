/** From a name to where it is defined. */
import type { Tool } from '../tool.ts';
import { goTo } from './go-to.ts';

export const goToDefinition: Tool = goTo({
  name: 'go_to_definition',
  title: 'Go to Definition',
  description: 'Where the name at a position is defined. Lines and columns count from 1.',
  kind: 'definition',
  hint: 'inspect_symbol there shows its type and documentation.',
  fallback: 'by-name',
});
