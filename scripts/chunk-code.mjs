// Changes the bundler's code of a chunk: how it loads other chunks, calls Node's functions and requires Node's modules.

/**
 * Loads a hook's chunks: each is read, compiled and run once, without Node's search for a module, which costs 1 ms per
 * chunk in a process of 25 ms. `eval` needs no module, `node:vm` is one more to load; it is used only where Node was
 * told not to evaluate text. The name of the file is for stack traces alone. Built-in modules load the usual way.
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
 * Writes calls of Node's functions as `fs.openSync(path)`: the bundler's `(0, fs.openSync)(path)` keeps `this` from them,
 * which none of them uses, and costs the hot entry 200 bytes.
 */
export const withoutDetours = (code) =>
  code.replace(
    /(?<=\b(return|typeof|await|case)|[^\w$)\]])\(0,([\w$]+\.[\w$]+)\)(?=\()/g,
    (_, keyword, callee) => (keyword ? ` ${callee}` : callee),
  );

/** Requires each Node module once; the bundler requires it again for every source file, at the top of the chunk. */
export function askedOnce(code) {
  const names = {};
  return code.replace(/(?<![\w$])([\w$]+)=require\(("node:\w+")\)/g, (asked, name, module) => {
    if (names[module]) return `${name}=${names[module]}`;
    names[module] = name;
    return asked;
  });
}
