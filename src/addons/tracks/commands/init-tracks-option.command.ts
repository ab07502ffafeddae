// Adds `--tracks` and what belongs to it to `plimsoll init`.
import type { Command } from 'commander';
import type { CliContext } from '../../../cli/context.ts';
import { UserError } from '../../../cli/output.io.ts';
import type { InitTracksOptions } from './init-tracks.command.ts';

export function addInitTracks(root: Command, cli: CliContext): void {
  const { ask, askText, dist, initActions, output, place } = cli;
  root.commands
    .find((each) => each.name() === 'init')
    ?.option(
      '--tracks',
      'work by tracks: documents in docs/context/, entry points in automation/hooks/, guardrails',
    )
    .option('--strict', 'with --tracks: refuse writes outside docs/ and artifacts/, instead of warning')
    .option(
      '--source <glob...>',
      'with --tracks: extra paths the agent may write (default: detected source folders)',
    )
    .addHelpText('after', '  plimsoll init --tracks --source "src/**" "test/**"');
  initActions.push(async (options: InitTracksOptions) => {
    if (options.tracks) {
      const { initTracks } = await import('./init-tracks.command.ts');
      await initTracks(await place(), options, output, { ask, askText }, dist);
      return true;
    }
    if (options.strict || options.source)
      throw new UserError('--strict and --source belong to --tracks', {
        hint: 'plimsoll init --tracks --strict',
        code: 2,
      });
    return false;
  });
}
