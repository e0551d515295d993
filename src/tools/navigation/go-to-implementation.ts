/** From an interface or abstract member to what implements it. */
import type { Tool } from '../tool.ts';
import { goTo } from './go-to.ts';

export const goToImplementation: Tool = goTo({
  name: 'go_to_implementation',
  title: 'Go to Implementation',
  description:
    'What implements the interface, or overrides the member, at a position. Lines and columns count from 1.',
  kind: 'implementation',
  hint: 'find_references on an implementation shows who uses it.',
  fallback: 'none',
});
