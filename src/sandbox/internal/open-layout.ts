/**
 * The layout for a language server: the overlay lies over the workspace, and everything else is as it was.
 *
 * Invariant: no path of the user's stands among the mount options, where commas, colons and backslashes have
 * a meaning; the workspace is bound to a name of our own first.
 */
import type { MountLayout, Privilege } from './mount-namespace.ts';

/** `scratch` is an empty directory, which will hold the changed layer. */
export function openLayout(root: string, scratch: string, privilege: Privilege): MountLayout {
  return { script, args: [root, scratch, attributesOption(privilege)], besides: [] };
}

/** An ordinary user may only keep the overlay's own marks in user attributes. */
export function attributesOption(privilege: Privilege): string {
  return privilege === 'root' ? '' : ',userxattr';
}

const script = `cd "$2" && mkdir lower upper work && mount --bind -- "$1" lower &&
  mount -t overlay -o "lowerdir=lower,upperdir=upper,workdir=work$3" -- overlay "$1" && echo mounted && read -r _`;
