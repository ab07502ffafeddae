// The map of src/ in ARCHITECTURE.md, made of the first line of each folder's README.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BEGIN = '<!-- map: node scripts/docs.mjs -->';
const END = '<!-- /map -->';

/** Folders of src in the order of the design. */
const ORDER =
  'hosts context compaction handoff sessions addons settings text platform doctor install statusline replay report hook cli'.split(
    ' ',
  );

function linesOf(root, path, depth) {
  const folder = join(root, 'src', path);
  const readme = join(folder, 'README.md');
  const said = existsSync(readme) ? readFileSync(readme, 'utf8').split('\n')[0] : 'NO README';
  const inner = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory() && !each.name.startsWith('__'))
    .map(({ name }) => name)
    .sort();
  const name = `${'  '.repeat(depth)}${path.split('/').at(-1)}/`;
  return [
    `${name.padEnd(20)} ${said}`,
    ...inner.flatMap((each) => linesOf(root, `${path}/${each}`, depth + 1)),
  ];
}

/** ARCHITECTURE.md with the map as the folders are now. */
export function withMap(root, text) {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name);
  const order = [
    ...ORDER.filter((each) => folders.includes(each)),
    ...folders.filter((each) => !ORDER.includes(each)),
  ];
  const map = order.flatMap((folder) => linesOf(root, folder, 1));
  const [before, rest] = text.split(BEGIN);
  const behind = rest.split(END)[1];
  return `${before}${BEGIN}\n\n\`\`\`\nsrc/\n${map.join('\n')}\n\`\`\`\n\n${END}${behind}`;
}
