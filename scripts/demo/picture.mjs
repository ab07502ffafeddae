// Turns a terminal's screen into a picture for the README: ANSI text on stdin, SVG on stdout.
//   node scripts/demo.mjs under tmux, then:  tmux capture-pane -e -p -S - | node scripts/demo/picture.mjs > picture.svg
import { readFileSync } from 'node:fs';

const WIDTH = 8.4;
const HEIGHT = 18;
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#a5d6ff' };
const escapeXml = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Runs of one style in a line; `style` goes on from line to line, as on the terminal. */
function runs(line, style) {
  return line.split(/\u001b\[([\d;]*)m/).flatMap((part, index) => {
    if (index % 2 === 0) return part === '' ? [] : [{ text: part, ...style }];
    const codes = part.split(';').map(Number);
    if (codes[0] === 38 && codes[1] === 5) {
      // The greys of the 256 colours; the others do not come up.
      const grey = (8 + (codes[2] - 232) * 10).toString(16).padStart(2, '0');
      style.colour = codes[2] >= 232 ? `#${grey.repeat(3)}` : null;
      return [];
    }
    for (const code of codes) {
      if (code === 0) Object.assign(style, { bold: false, dim: false, colour: null });
      else if (code === 1) style.bold = true;
      else if (code === 2) style.dim = true;
      else if (code === 22) Object.assign(style, { bold: false, dim: false });
      else if (code === 39) style.colour = null;
      else if (COLOURS[code]) style.colour = COLOURS[code];
    }
    return [];
  });
}

const lines = readFileSync(0, 'utf8').replace(/\s+$/, '').split('\n');
const style = { bold: false, dim: false, colour: null };
const styled = lines.map((line) => runs(line, style));
const columns = Math.max(...styled.map((line) => line.reduce((sum, run) => sum + run.text.length, 0)));
const width = Math.ceil(columns * WIDTH + 32);
const height = lines.length * HEIGHT + 32;
const body = styled
  .map((line, index) => {
    let column = 0;
    const spans = line.map((run) => {
      const x = 16 + column * WIDTH;
      column += run.text.length;
      const look = `${run.colour ? ` fill="${run.colour}"` : ''}${run.bold ? ' font-weight="bold"' : ''}${run.dim ? ' opacity="0.6"' : ''}`;
      return `<tspan x="${x.toFixed(1)}" xml:space="preserve"${look}>${escapeXml(run.text)}</tspan>`;
    });
    return `<text y="${30 + index * HEIGHT}">${spans.join('')}</text>`;
  })
  .join('\n');
console.log(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
${body}
</g>
</svg>`);
