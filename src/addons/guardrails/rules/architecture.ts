// Checks whether a file, as it will be after the edit, imports what its layer may not.
import { applyEditText } from '../../../hosts/claude-code/tools/after-edit.ts';
import { createFinder, type GuardrailFinding } from '../../../hosts/verdict.ts';
import type { ArchitectureLayer, GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { findMatch } from '../../../text/globs.ts';
import { displayText, isAbsolute } from '../../../text/path-text.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import type { Import, Imports } from '../imports/found-import.ts';
import { findImportTarget } from '../imports/import-target.ts';
import type { PathNames } from '../path-names.ts';
import { findShortName } from '../path-names.ts';
import { findLayer, findLayerViolation } from './layers.ts';

const find = createFinder('architecture');

const GENERAL =
  'Pass the value in as an argument, move the code to the layer that may use it, or ask the user to change guardrails.architecture.';

interface Breach {
  line: number;
  what: string;
  /** The same in the file as it is now and as it will be. */
  key: string;
}

/** Everything that the rule has against a text. */
function breachesIn(
  file: string,
  read: Imports,
  layer: ArchitectureLayer | null,
  options: GuardrailOptions,
  sight: FileSystemPort,
  root: string,
): Breach[] {
  const { architecture } = options;
  const breaches: Breach[] = [];
  const goModule = file.endsWith('.go')
    ? (/^module\s+(\S+)/m.exec(sight.read(`${root}/go.mod`) ?? '')?.[1] ?? null)
    : null;
  const isJudged = (each: Import): boolean => !each.isTypeOnly || architecture.type_only === 'judged';
  if (layer !== null) {
    for (const each of read.imports.filter(isJudged)) {
      const why = findLayerViolation(
        each,
        findImportTarget(file, each, architecture, goModule),
        layer,
        architecture.layers,
      );
      if (why === null) continue;
      const verb = each.isDynamic ? 'imports at run time' : 'imports';
      const what = [each.module, each.names.join(', ')].filter((part) => part !== '').join(' → ');
      breaches.push({
        line: each.line,
        what: `${verb} ${displayText(what, 100)}, ${why}`,
        key: `${each.module} ${each.names}`,
      });
    }
  }
  const isPackage = /(?:^|\/)__init__\.pyi?$/.test(file);
  if (architecture.one_class && !isPackage) {
    read.classes.slice(1).forEach(({ name, line }) => {
      const first = read.classes[0]?.name;
      const what = `has a second public class, ${name} beside ${first}; one_class allows one a file`;
      breaches.push({ line, what, key: `class ${name}` });
    });
  }
  return breaches;
}

/** What stands where only a command knows the new text. */
function judgeCommand(at: string, options: GuardrailOptions): GuardrailFinding {
  const saw = 'a command writes it: its text is not known before the call';
  return options.strict
    ? find(
        'warn',
        at,
        saw,
        `${at} is in a layer, and a command writes it: use the Edit or Write tool, so that its imports can be judged.`,
      )
    : find('abstain', at, saw);
}

/** A file that cannot be read is a warning; with `strict`, a refusal. */
function judgeDoubt(at: string, doubt: string, options: GuardrailOptions): GuardrailFinding {
  const end = options.strict
    ? 'guardrails.strict refuses what cannot be decided: write it so that it can be read.'
    : 'It was let through; check the syntax.';
  return find(
    options.strict ? 'deny' : 'warn',
    at,
    `cannot decide: ${doubt}`,
    `The guardrail rule "architecture" cannot read ${at} as it would be after this edit: ${doubt}. ${end}`,
  );
}

/** Asked only where the project has layers, or wants one class a file: see `hasLayers`. */
export function checkArchitecture(
  call: GuardedCall,
  place: PathNames,
  options: GuardrailOptions,
  sight: FileSystemPort,
): GuardrailFinding[] {
  const { layers, one_class, exempt } = options.architecture;
  const names = place.real.filter((name) => !isAbsolute(name) && !name.startsWith('~'));
  const at = displayText(findShortName(place));
  const layer = findLayer(names, layers);
  const file = names[0];
  if (file === undefined || place.change.act === 'remove' || (layer === null && !one_class)) {
    return [find('abstain', at, 'it is in no layer')];
  }
  const exemption = findMatch(exempt, names);
  if (exemption !== null) return [find('abstain', at, `"${exemption}" of architecture.exempt matches`)];
  const now = sight.read(place.place.path);
  const after = applyEditText(call.tool, call.input, now);
  if (after === null) return [judgeCommand(at, options)];
  if ('refused' in after) return [find('abstain', at, `the tool itself will refuse: ${after.refused}`)];
  if (sight.imports === null) return [judgeDoubt(at, 'the part that reads imports is missing', options)];
  const read = sight.imports(file, after.text);
  if (read === null) return [find('abstain', at, 'its language is not read')];
  if (read.doubt !== null) return [judgeDoubt(at, read.doubt, options)];
  const before = now === null ? null : sight.imports(file, now);
  const old = new Set(
    before === null ? [] : breachesIn(file, before, layer, options, sight, call.root).map((each) => each.key),
  );
  const breaches = breachesIn(file, read, layer, options, sight, call.root);
  if (breaches.length === 0) {
    const count = read.imports.length;
    const what = count === 0 ? 'imports nothing' : `may import what it imports (${count})`;
    return [
      find(
        'abstain',
        at,
        layer === null ? 'has one public class at most' : `${what}, in layer "${layer.name}"`,
      ),
    ];
  }
  return breaches.map(({ line, what, key }) => {
    const isOld = old.has(key);
    const saw = `line ${line} ${what}${isOld ? '; it was there before' : ''}`;
    const instead = layer?.instead ?? GENERAL;
    const advice = isOld ? ' It was there before this edit; put it right when the task allows it.' : '';
    const reason = `${at}:${line} ${what} (guardrail rule "architecture", guardrails.architecture).${advice}`;
    const breach = { line, what, next: instead };
    const found = { ...find(isOld ? 'warn' : 'deny', `${at}:${line}`, saw, reason), breach };
    return isOld ? found : { ...found, next: instead };
  });
}
