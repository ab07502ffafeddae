// Reports the rights that chmod and its like change, and whether they take away reading or writing.
import type { Command } from './shell-state.ts';

/** Whether a mode takes from the owner what is needed to read or write. */
const takesAway = (mode: string): boolean =>
  /^\d+$/.test(mode)
    ? (Number.parseInt(mode.slice(-3).padStart(3, '0')[0] ?? '0', 8) & 6) !== 6
    : mode.split(',').some((part) => {
        const [, who = '', sign = '', rights = ''] = /^([ugoa]*)([-+=])(.*)$/.exec(part) ?? [];
        const isOfOwner = who === '' || /[ua]/.test(who);
        return (
          isOfOwner && (sign === '-' ? /[rwxX]/.test(rights) : sign === '=' && !/r.*w|w.*r/.test(rights))
        );
      });

export const changeMode: Command = (hand) => {
  const words = hand.args.filter((arg) => !/^(?:-[Rvfch]+|--.*)$/.test(arg));
  const [mode = '', ...paths] = words;
  const whole = hand.name === 'chmod' && takesAway(mode) ? ('all' as const) : false;
  for (const path of paths) hand.mode(path, { whole });
};
