// What is the code of a chunk, beyond what the bundler writes: how it loads others, and how it calls Node?

/**
 * How a hook loads its chunks: read, compiled and run once, without what Node does to find a module, which costs a
 * process of 25 ms one of them for every chunk. `eval` asks for no module, where `node:vm` is one more; where Node was
 * told to evaluate no text, `node:vm` is there. The name of the file is for stack traces alone. Built-in modules go the
 * usual way.
 */
export const LOADER = `require = ((builtin) => {
  const loaded = {};
  const compiled = (filename) => {
    const text = builtin('node:fs').readFileSync(filename, 'utf8');
    try {
      return (0, eval)('(function(exports,require,module){' + text + '\\n})\\n//# sourceURL=' + encodeURI(filename));
    } catch {
      return builtin('node:vm').compileFunction(text, ['exports', 'require', 'module'], { filename });
    }
  };
  const load = (id) => {
    if (id[0] !== '.') return builtin(id);
    if (loaded[id]) return loaded[id].exports;
    const module = { exports: {} };
    const run = compiled(__dirname + id.slice(1));
    loaded[id] = module;
    run(module.exports, load, module);
    return module.exports;
  };
  return load;
})(require);`;

/**
 * Calls of Node's functions as they are written, `fs.openSync(path)`: the bundler's `(0, fs.openSync)(path)` keeps `this`
 * from them, which none of them looks at, and costs the hot entry 200 bytes.
 */
export const withoutDetours = (code) =>
  code.replace(
    /(?<=\b(return|typeof|await|case)|[^\w$)\]])\(0,([\w$]+\.[\w$]+)\)(?=\()/g,
    (_, keyword, callee) => (keyword ? ` ${callee}` : callee),
  );

/** A module of Node is asked for once; the bundler asks again for every source file, at the top of the chunk. */
export function askedOnce(code) {
  const names = {};
  return code.replace(/(?<![\w$])([\w$]+)=require\(("node:\w+")\)/g, (asked, name, module) => {
    if (names[module]) return `${name}=${names[module]}`;
    names[module] = name;
    return asked;
  });
}
