// Prints how the house stands against its limits, and fails on what is over: npm run house.
// --ratchet compares with the figures that were reached instead, which may only fall: `npm run verify` runs this.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLES } from './build.mjs';
import {
  crowdedFolders,
  fileNamesTwice,
  filesInCycles,
  filesWithOneImporter,
  importersOfAddons,
  impureFiles,
  initialisedBy,
  moduleMocks,
  namesTwice,
  questionHeaders,
  readSources,
} from './house/measure.mjs';
import { readWireWords } from './house/wire-words.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = readSources(root);
const linesOf = (list) => list.reduce((sum, { lines }) => sum + lines, 0);
const counted = (list) => list.map(([name, count]) => `${name} (${count})`);
const shareOf = (list) => Math.round((list.length / sources.length) * 100);

/**
 * `limit`: what the design allows; `reached`: what no change may exceed. Lower it when the figure has fallen.
 * @type {{ what: string, limit: number, reached: number, value?: number, list?: string[] }[]}
 */
const FIGURES = [
  { what: 'files of src without tests', limit: 380, reached: 443, value: sources.length },
  { what: 'lines of src without tests', limit: 35_000, reached: 62_000, value: linesOf(sources) },
  {
    what: 'folders with more than 20 files',
    limit: 0,
    reached: 0,
    list: counted(crowdedFolders(sources, 20)),
  },
  {
    what: 'files with exactly one importer, in %',
    limit: 25,
    reached: 28,
    value: shareOf(filesWithOneImporter(sources)),
  },
  { what: 'exported names defined twice', limit: 3, reached: 0, list: counted(namesTwice(sources)) },
  { what: 'file names used twice', limit: 15, reached: 0, list: counted(fileNamesTwice(sources)) },
  { what: 'headers that are questions', limit: 0, reached: 0, list: questionHeaders(sources) },
  { what: 'files in import cycles', limit: 0, reached: 0, list: filesInCycles(sources) },
  { what: 'test files with module mocks', limit: 0, reached: 0, list: moduleMocks(root) },
  { what: 'impure files without a suffix', limit: 0, reached: 0, list: impureFiles(sources) },
  { what: 'files with wire words outside hosts/', limit: 0, reached: 0, list: [...readWireWords().keys()] },
  {
    what: 'files outside addons/ that import an add-on',
    limit: 1,
    reached: 0,
    list: importersOfAddons(sources),
  },
  { what: 'bundles', limit: 16, reached: 18, value: Object.keys(BUNDLES).length + 1 },
  {
    what: 'files that every command runs before its own',
    limit: 40,
    reached: 0,
    value: initialisedBy(sources, 'src/cli/run.io.ts').length,
  },
];

const isRatchet = process.argv.includes('--ratchet');
/** Names of a list that are printed. */
const SHOWN = 8;
let over = 0;
for (const { what, limit, reached, list = [], value = list.length } of FIGURES) {
  const most = isRatchet ? Math.max(limit, reached) : limit;
  const isOver = value > most;
  if (isOver) over++;
  const names =
    isOver && list.length > 0
      ? `\n        ${list.slice(0, SHOWN).join(', ')}${list.length > SHOWN ? ', …' : ''}`
      : '';
  console.log(`${isOver ? 'OVER' : 'ok  '}  ${what}: ${value} (at most ${most})${names}`);
}
console.log(`${FIGURES.length - over} of ${FIGURES.length} figures hold`);
process.exitCode = over > 0 ? 1 : 0;
