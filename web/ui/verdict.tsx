/**
 * A verdict as the page shows it: colour, shape and word, always all three.
 */
import type { ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** `none` is not a verdict: there is nothing to check, or it is not checked. */
export type VerdictKind = 'clean' | 'break' | 'conflict' | 'unknown' | 'checking' | 'none' | 'warning';

const looks: Readonly<Record<VerdictKind, { readonly icon: IconName; readonly colour: string }>> = {
  clean: { icon: 'clean', colour: 'clean' },
  break: { icon: 'broken', colour: 'break' },
  conflict: { icon: 'conflict', colour: 'caution' },
  unknown: { icon: 'unknown', colour: 'unknown' },
  checking: { icon: 'checking', colour: 'checking' },
  none: { icon: 'none', colour: 'none' },
  warning: { icon: 'warning', colour: 'caution' },
};

export const verdictIcon = (kind: VerdictKind): IconName => looks[kind].icon;
/** The class that gives a verdict its colour. */
export const verdictColour = (kind: VerdictKind): string => looks[kind].colour;

export interface VerdictProps {
  readonly kind: VerdictKind;
  readonly children: ComponentChildren;
  readonly form?: 'plain' | 'pill';
  readonly size?: 'small' | 'normal';
}

export function Verdict({ kind, children, form = 'plain', size = 'normal' }: VerdictProps): VNode {
  const { icon, colour } = looks[kind];
  return (
    <span class={`v ${colour}${form === 'pill' ? ' pill' : ''}`}>
      <Icon name={icon} size={size} />
      <span>{children}</span>
    </span>
  );
}

/**
 * How far an answer is proved; only what is proved has the whole shield.
 * @public
 */
export function Proof({
  isProved,
  children,
}: {
  readonly isProved: boolean;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <span class="proof">
      <Icon name={isProved ? 'proved' : 'unproved'} size="small" />
      {children}
    </span>
  );
}
