/** Buttons and keycaps in the sizes and weights of the design. */
import type { ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  readonly onClick: (event: MouseEvent) => void;
  readonly children: ComponentChildren;
  /** `primary` once per region; `danger` where something breaks; `quiet` for what is rarely needed. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly size?: 'small' | 'normal';
  readonly isDisabled?: boolean;
  readonly title?: string;
  readonly focusRef?: { current: HTMLButtonElement | null };
}

const lookClass = { plain: '', primary: ' p', quiet: ' q', danger: ' danger' } as const;

export function Button(props: ButtonProps): VNode {
  const { onClick, children, look = 'plain', size = 'normal', isDisabled = false, title, focusRef } = props;
  return (
    <button
      type="button"
      class={`b${lookClass[look]}${size === 'small' ? ' s' : ''}`}
      disabled={isDisabled}
      title={title}
      onClick={onClick}
      ref={focusRef ?? null}
    >
      {children}
    </button>
  );
}

export interface IconButtonProps {
  readonly icon: IconName;
  /** Read out, and shown as the tooltip. */
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly size?: 'small' | 'normal';
  /** For buttons that switch something: whether it is on. */
  readonly isPressed?: boolean;
}

export function IconButton({ icon, label, onClick, size = 'normal', isPressed }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class={`ib${size === 'small' ? ' s' : ''}${isPressed === true ? ' on' : ''}`}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The keys of one binding, such as `Ctrl K`, then `W`. */
export function Keys({ keys }: { readonly keys: readonly string[] }): VNode {
  return (
    <>
      {keys.map((key) => (
        <kbd class="k" key={key}>
          {key}
        </kbd>
      ))}
    </>
  );
}
