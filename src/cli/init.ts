// How does a project get its hooks, and how are those of an earlier version brought up to date?

import { installBundle } from '../store/bundle.ts';
import { removeSettings, writeSettings } from '../store/client-files.ts';
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
 * Keeps what gives the file back to the byte, also after an upgrade: the text without anything of ours, unless taking
 * our entries out of the new text gives exactly that.
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
 * Puts the hooks, and the status line where it is asked for, into the client's settings and the bundle into its stable
 * place.
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
      // Nothing stays in the settings that was said not to have worked.
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
