// Runs `plimsoll report`: writes a page about sessions, its chart alone, or a picture of it, and opens it.

import { resolve } from 'node:path';
import { formatCount, type Output } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { openWithSystem } from '../platform/desktop.ts';
import { isFolder } from '../platform/look.ts';
import { replaceFile } from '../platform/write.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { drawPage, MEASURE_SCRIPT } from './draw-page.io.ts';
import { findSources, readReport } from './report-data.io.ts';

export interface ReportOptions {
  output?: string;
  open?: boolean;
  svg?: boolean;
  png?: boolean;
  all?: boolean;
  retention?: boolean;
  watch?: boolean;
  port?: string;
}

function checkOptions({ svg, png, output, open, port }: ReportOptions): void {
  if (port !== undefined)
    throw new PlimsollError('usage', '--port is for --watch: without it nothing is served', {
      hint: `plimsoll report --watch --port ${port}`,
    });
  if (svg && png)
    throw new PlimsollError('usage', 'Either --svg or --png', { hint: 'call it twice for both' });
  if (output === '-' && (png || open))
    throw new PlimsollError('usage', `-o - prints, so there is no file for ${png ? '--png' : '--open'}`, {
      hint: 'name a file: -o report.html',
    });
}

/** Loaded when a report is made: the charts are a bundle of their own. */
const loadPage = () => import('./page.ts');

/**
 * @param named files, folders or sessions
 * @param dist folder of the bundles
 */
export async function report(
  place: ProjectContext,
  named: readonly string[],
  options: ReportOptions,
  output: Output,
  dist: string,
): Promise<void> {
  checkOptions(options);
  const { svg = false, png = false } = options;
  const sources = findSources(place, named, options.all === true, (why) => output.warn(why));
  if (svg && sources.isOverview)
    throw new PlimsollError('usage', `--svg draws one session, and ${sources.paths.length} are meant`, {
      hint: 'name one: plimsoll report SESSION --svg',
    });
  // One session is looked into; of many only on demand, because the hooks run at each compaction.
  const withEvidence = !svg && (options.retention === true || !sources.isOverview);
  const input = await readReport(place, sources, { withEvidence, dist });
  const { renderPage, renderUsageSvg } = await loadPage();
  const [first] = input.sessions;
  const text = svg && first !== undefined ? renderUsageSvg(first, input) : renderPage(input);
  if (options.output === '-') return output.print(text.trimEnd());
  const name = options.output ?? `plimsoll-report.${svg ? 'svg' : png ? 'png' : 'html'}`;
  const file = resolve(place.cwd, name);
  if (isFolder(file))
    throw new PlimsollError('usage', `A folder, no file: "${name}"`, { hint: 'name a file: -o report.html' });
  if (png) {
    const measured = renderPage(input, { nonce: 'measure', script: MEASURE_SCRIPT });
    await drawPage({ page: text, measured }, file, place.env);
  } else replaceFile(file, text, { mode: 0o600 });
  const { sessions } = input;
  const compactions = sessions.reduce((sum, { replay }) => sum + replay.compactions.length, 0);
  output.print(
    `Written: ${displayPath(file, place)} (${formatCount(sessions.length, 'session')}, ${formatCount(compactions, 'compaction')}). It holds words of the sessions: look at it before you send it.`,
  );
  if (options.open && !openWithSystem(file, place.env))
    output.warn(`Nothing here opens files\n  Next: open it yourself: ${file}`);
}
