/** Whether servers are shared with other processes: `auto` means only in large workspaces. */
export const daemonChoices = ['auto', 'on', 'off'] as const;

export type DaemonChoice = (typeof daemonChoices)[number];
