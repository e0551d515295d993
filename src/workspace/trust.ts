/** Whether programs that a workspace supplies may run. */
export type Trust = 'trusted' | 'untrusted';
