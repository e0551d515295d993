/** Whether servers are shared with other processes: `auto` means in large workspaces. */
export const daemonChoices = ['auto', 'on', 'off'] as const;

export type DaemonChoice = (typeof daemonChoices)[number];

/** The choice of the environment; an unknown value means the default. */
export function daemonChoiceOf(env: Readonly<Record<string, string | undefined>>): DaemonChoice {
  const word = env.FORERUN_DAEMON?.toLowerCase();
  return daemonChoices.find((choice) => choice === word) ?? 'auto';
}
