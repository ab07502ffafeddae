// Runs `plimsoll init`: adds the hooks to the client's settings, or brings those of an earlier version up to date.

import { removeSettings, writeSettings } from '../hosts/claude-code/install/files.io.ts';
import { installBundle } from '../store/bundle.ts';
import { readInstalls, recordInstall } from '../store/installs.ts';
import { sha256 } from '../store/sha256.ts';
import { ensureStateFolder } from '../store/state-folder.ts';
import { VERSION } from '../version.ts';
import { initBundleOnly, keepBundleFor } from './init-bundle-only.ts';
import type { InitOptions } from './init-plan.ts';
import { allowLine } from './init-statusline.ts';
import { changeWords, doneWords, planData, questionWords } from './init-words.ts';
import { type Output, toJson } from './output.ts';
import type { Place } from './place.ts';
import { createQualityFile } from './quality-file.ts';
import { type Ask, confirm } from './settings-file.ts';
import { withLine, withoutOurs } from './settings-statusline.ts';
import { withHooks } from './settings-text.ts';

/**
 * Records what restores the file byte for byte, also after an upgrade: the text without anything of ours, unless taking
 * our entries out of the new text gives exactly that text.
 */
function record(place: Place, path: string, before: string | null, after: string): void {
  const previous = readInstalls(place.env).find((each) => each.path === path) ?? null;
  const isOurs = previous !== null && before !== null && sha256(before) === previous.after;
  const clean = (isOurs ? previous.before : null) ?? (before === null ? null : withoutOurs(before));
  recordInstall(place.env, path, {
    path,
    created: isOurs ? previous.created : before === null,
    before: clean !== null && withoutOurs(after) !== clean ? clean : null,
    after: sha256(after),
  });
}

/**
 * Adds the hooks, and the status line on request, to the client's settings, and installs the bundle in its stable place.
 * @param dist folder with the built chunks
 */
export async function init(
  place: Place,
  options: InitOptions,
  output: Output,
  ask: Ask,
  dist: string,
): Promise<void> {
  const plan = await allowLine(place, options, output, ask);
  const { path, before, bom, scope, wanted, line } = plan;
  if (plan.hooksElsewhere?.isPlugin === false && line === null && !plan.isLineByHand) {
    initBundleOnly(place, plan.others, { ...options, version: plan.version }, output, dist);
    return;
  }
  if (options.dryRun) {
    output.print(options.json ? toJson(planData(plan)) : changeWords(plan, place, 'would'));
    return;
  }
  if (plan.isChanged) {
    if (!options.json) output.print(changeWords(plan, place, 'will'));
    await confirm(questionWords(plan), options, output, ask);
  }
  const isReplaced = installBundle(dist, VERSION, place.env);
  if (scope !== 'user') ensureStateFolder(place.paths);
  const quality = options.quality === true ? createQualityFile(place) : null;
  if (plan.hooksElsewhere !== null) keepBundleFor(place, plan.others);
  if (plan.isChanged) {
    const hooked = plan.changes.length > 0 ? withHooks(before ?? '', wanted) : (before ?? '');
    const after = line === null ? hooked : withLine(hooked, line);
    writeSettings(path, `${bom}${after}`, place);
    try {
      record(place, path, before, after);
    } catch (error) {
      // A change that is reported as failed must not stay in the settings.
      if (before === null) removeSettings(path);
      else writeSettings(path, `${bom}${before}`, place);
      throw error;
    }
  }
  output.print(
    options.json
      ? toJson({
          ...planData(plan),
          bundle: plan.bundle,
          bundle_replaced: isReplaced,
          version: VERSION,
          quality_created: quality === true,
        })
      : doneWords(plan, place, { isReplaced, quality }),
  );
}
