// The colours of page and charts by their names, for light and dark, and the style sheet: one column, dense tables, phone width.

const PALETTE = {
  light: {
    page: '#fcfcfb',
    card: '#f4f5f4',
    ink: '#1c2328',
    soft: '#55606a',
    line: '#d8dcdf',
    link: '#0b5a8a',
    usage: '#14608f',
    fill: '#14608f12',
    limit: '#8c2f1b',
    window: '#55606a',
    low: '#eef2f4',
    warning: '#f8ecc8',
    critical: '#f6d9bb',
    emergency: '#f1bfb6',
    compaction: '#6b2c86',
    message: '#9a5b00',
    checkpoint: '#23694a',
    agent: '#3f6f8a',
  },
  dark: {
    page: '#14181b',
    card: '#1c2226',
    ink: '#e6eaec',
    soft: '#a3aeb7',
    line: '#363f46',
    link: '#7cc3f0',
    usage: '#7cc3f0',
    fill: '#7cc3f014',
    limit: '#f0917c',
    window: '#a3aeb7',
    low: '#1e262b',
    warning: '#383119',
    critical: '#452f1a',
    emergency: '#512526',
    compaction: '#d3a4ea',
    message: '#ecb45c',
    checkpoint: '#79cba3',
    agent: '#8bbdd8',
  },
} as const;

export type ColourName = keyof (typeof PALETTE)['light'];

/** A colour by its name, as CSS asks for it. */
export const colour = (name: ColourName): string => `var(--${name})`;

const declare = (theme: keyof typeof PALETTE): string =>
  Object.entries(PALETTE[theme])
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** The declarations of both themes. */
const PALETTE_CSS = `:root{color-scheme:light dark;${declare('light')}}
@media (prefers-color-scheme:dark){:root{${declare('dark')}}}`;

/** A chart for use by itself: the names of its colours become the light ones. */
export const withOwnColours = (svg: string): string =>
  svg.replace(/var\(--([a-z]+)\)/g, (found, name: string) => PALETTE.light[name as ColourName] ?? found);

export const STYLE = `${PALETTE_CSS}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:1088px;margin:0 auto;padding:20px 24px 64px}
h1,h2,h3,h4{line-height:1.25;margin:0;font-weight:600}
h1{font-size:24px}
h2{font-size:19px;margin-top:40px;padding-top:14px;border-top:1px solid var(--line)}
h3{font-size:16px;margin-top:26px}
h4{font-size:14px;margin-top:16px}
p{margin:6px 0;max-width:74ch}
.soft,figcaption,caption{color:var(--soft);font-size:13px}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-9999px}
.skip:focus{left:8px;top:8px;background:var(--page);padding:6px 10px}
dl.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:10px 20px;margin:16px 0 0}
dl.facts dt{color:var(--soft);font-size:12px}
dl.facts dd{margin:0;font-variant-numeric:tabular-nums}
figure{margin:14px 0 6px}
figure svg{display:block;max-width:100%;height:auto;overflow:visible}
.plot text{white-space:pre}
.narrow{display:none}
figure .narrow{width:100%;max-width:520px}
.key{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:8px 0 0;padding:0;font-size:13px;color:var(--soft)}
.key svg{display:inline-block;vertical-align:-3px;margin-right:6px}
.scroll{overflow-x:auto;margin:8px 0}
table{border-collapse:collapse;font-size:13.5px;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:0 0 4px}
th,td{text-align:left;vertical-align:top;padding:3px 16px 3px 0;border-bottom:1px solid var(--line);overflow-wrap:normal}
th{font-weight:600;color:var(--soft);font-size:12.5px}
tbody th{color:var(--ink);font-weight:400;font-size:13.5px}
.n{text-align:right}
.d{white-space:nowrap}
tbody .t{overflow-wrap:anywhere;min-width:16ch}
details{margin:6px 0}
summary{cursor:pointer;padding:2px 0}
summary .soft{margin-left:.5em}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--card);border-left:3px solid var(--line);margin:6px 0;padding:8px 12px;font:12.5px/1.45 ui-monospace,monospace}
.two{display:grid;grid-template-columns:1fr 1fr;gap:0 32px}
.two>*{min-width:0}
.known ul{margin:2px 0 8px;padding-left:18px;font-size:13.5px}
.known h5{margin:8px 0 0;font-size:12.5px;color:var(--soft);font-weight:600}
section.session{margin-top:56px;border-top:3px solid var(--line)}
section.session:target>h2{text-decoration:underline}
section.session>h2{border:0;margin-top:18px;padding:0}
@media (max-width:820px){main{padding:12px 10px 48px}.wide{display:none}.narrow{display:block}.two{display:block}h1{font-size:21px}dl.facts{grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:8px 16px}}
@media print{.wide{display:block}.narrow{display:none}}`;
