/** From a value to where its type is defined. */
import type { Tool } from '../tool.ts';
import { goTo } from './go-to.ts';

export const goToTypeDefinition: Tool = goTo({
  name: 'go_to_type_definition',
  title: 'Go to Type Definition',
  description: 'Where the type of the value at a position is defined. Lines and columns count from 1.',
  kind: 'typeDefinition',
  fallback: 'none',
});
