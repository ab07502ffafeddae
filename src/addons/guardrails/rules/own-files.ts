// Protects what Plimsoll stands on (state, program, the person's settings, hooks) from calls of the agent.
import { FOLDER_VARIABLE } from '../../../hosts/claude-code/names.ts';
import { applyEditText } from '../../../hosts/claude-code/tools/after-edit.ts';
import type { GuardrailFinding, VerdictDecision } from '../../../hosts/verdict.ts';
import { matchesName } from '../../../text/globs.ts';
import { displayText, normalize, stripFolder, toAbsolute, toSlashes } from '../../../text/path-text.ts';
import type { Changes, PathChange } from '../change.ts';
import type { FileSystemPort, GuardedCall, OwnPaths } from '../guard-call.ts';
import type { PathNames } from '../path-names.ts';

type Json = Record<string, unknown>;
const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value as Json) : [];

const OURS = /plimsoll/i;
/** What moves our files, or changes the process that runs our hooks. */
const VARIABLE = new RegExp(`^(?:PLIMSOLL|XDG_|HOME$|NODE_|PATH$|${FOLDER_VARIABLE}$|BASH_ENV$|ENV$)`);

/** Of a settings file, as text: hooks and plugins of ours, whether hooks run at all, and variables that move us. `{}`: nothing. */
function decidesOverUs(text: string | null): string {
  if (text === null || text.trim() === '') return '{}';
  let settings: Json;
  try {
    settings = JSON.parse(text) as Json;
  } catch {
    // A broken file is one that the host leaves out as a whole.
    return '{}';
  }
  const { hooks, env, enabledPlugins, disableAllHooks, allowManagedHooksOnly } = Object(settings) as Json;
  const ofUs = (value: unknown): boolean => OURS.test(JSON.stringify(value) ?? '');
  const kept = entries(hooks).flatMap(([event, groups]) => {
    const ours = (Array.isArray(groups) ? groups : []).filter(ofUs);
    return ours.length > 0 ? [[event, ours]] : [];
  });
  const plugins = entries(enabledPlugins).filter(([name]) => OURS.test(name));
  const variables = entries(env).filter(([name]) => VARIABLE.test(name));
  const found = {
    ...(kept.length > 0 ? { hooks: kept } : {}),
    ...(plugins.length > 0 ? { plugins } : {}),
    ...(variables.length > 0 ? { variables } : {}),
    ...(disableAllHooks ? { disableAllHooks } : {}),
    ...(allowManagedHooksOnly ? { allowManagedHooksOnly } : {}),
  };
  return JSON.stringify(found);
}

const FOLDER = '.plimsoll';
/** Files of it that a project writes itself, under the rules that it sets. */
const OPEN = /^(?:quality\.md|\.gitignore|rules(?:\/.*)?)$/;

type Kind = 'state' | 'config' | 'settings';

const find = (
  decision: VerdictDecision,
  at: string,
  saw: string,
  told: Pick<GuardrailFinding, 'reason' | 'next'>,
): GuardrailFinding => ({
  rule: 'own',
  at,
  saw,
  decision,
  ...told,
});

const refused = (what: string): Pick<GuardrailFinding, 'reason' | 'next'> => ({
  reason: `${what} is guarded by the guardrail rule "own": Plimsoll keeps the guardrails and the memory of this project there, and no call changes that.`,
  next: 'Go on without it; where it has to be changed, tell the user, who does it.',
});
const asked = (what: string): Pick<GuardrailFinding, 'reason' | 'next'> => ({
  reason: `${what} changes what Plimsoll guards or says (guardrail rule "own").`,
  next: 'It is for the user to decide: go on only with their consent.',
});

/** The kind of thing of ours that lies at an absolute path; null for all that is not ours. */
function kindOf(path: string, own: OwnPaths, folds: boolean): Kind | null {
  // Wherever it lies: the nearest folder of this name decides where the project is.
  const parts = path.split('/');
  const at = parts.findIndex((part) => part.toLowerCase() === FOLDER);
  if (at >= 0) {
    const rest = parts.slice(at + 1).join('/');
    if (OPEN.test(rest)) return null;
    return rest === 'config.toml' ? 'config' : 'state';
  }
  if (own.folders.some((folder) => stripFolder(path, folder, folds) !== null)) return 'state';
  return own.settings.some((file) => stripFolder(path, file, folds) === '') ? 'settings' : null;
}

const NONE: OwnPaths = { folders: [], settings: [] };
/** By their text, and as they lie behind links. */
function ownOf({ own = NONE, resolve }: FileSystemPort): OwnPaths {
  const both = (paths: readonly string[]): string[] => [
    ...new Set(paths.flatMap((path) => [normalize(path), resolve(path, true).path])),
  ];
  return { folders: both(own.folders), settings: both(own.settings) };
}

const namesOf = ({ place, change }: PathNames): string[] => [place.path, normalize(change.path ?? '')];

/** The first existing place of ours below a folder that is removed as a whole or made unreadable; null where there is none. */
function heldIn(each: PathNames, own: OwnPaths, call: GuardedCall, sight: FileSystemPort): string | null {
  if (each.change.whole === false || each.change.act === 'write') return null;
  const isHeld = (path: string): boolean =>
    namesOf(each).some((folder) => {
      const rest = stripFolder(path, folder, each.place.folds);
      return rest !== null && rest !== '' && !(each.change.whole === 'some' && rest.startsWith('.'));
    });
  const isThere = (path: string): boolean => isHeld(path) && sight.resolve(path, true).kind !== 'missing';
  const places = [`${toSlashes(call.root)}/${FOLDER}`, ...own.folders];
  const holdsUs = (file: string): boolean => isThere(file) && decidesOverUs(sight.read(file)) !== '{}';
  return places.find(isThere) ?? own.settings.find(holdsUs) ?? null;
}

/** An edit of the host's settings may go on where our hooks stay, and nothing switches hooks off. */
function judgeSettings(
  each: PathNames,
  call: GuardedCall,
  sight: FileSystemPort,
  what: string,
): GuardrailFinding | null {
  const at = displayText(each.change.written);
  const before = sight.read(each.place.path);
  const after = each.change.follows ? applyEditText(call.tool, call.input, before) : null;
  if (after !== null && 'text' in after) {
    if (decidesOverUs(after.text) === decidesOverUs(before)) return null;
    return find('deny', at, "it changes Plimsoll's hooks in the settings", refused(what));
  }
  if (after !== null) return null;
  if (decidesOverUs(before) === '{}') return find('ask', at, 'hooks may be switched off there', asked(what));
  return find('deny', at, "Plimsoll's hooks stand there", refused(what));
}

const DID = { write: 'Writing', remove: 'Removing', mode: 'Changing the rights of' } as const;

/** What is said of a change whose place is known; null where it is not ours. */
export function checkOwnFiles(
  each: PathNames,
  call: GuardedCall,
  sight: FileSystemPort,
): GuardrailFinding | null {
  const { change, place } = each;
  // What our commands change is judged by their words.
  if (change.by === 'plimsoll') return null;
  const own = ownOf(sight);
  const at = displayText(change.written);
  const what = `${DID[change.act]} ${at} (by ${change.by})`;
  const held = heldIn(each, own, call, sight);
  if (held !== null) {
    const place = displayText(stripFolder(held, toSlashes(call.root)) ?? held);
    return find('deny', at, `${place} lies below it`, refused(`${what}, with ${place} in it,`));
  }
  const kind = namesOf(each)
    .map((name) => kindOf(name, own, place.folds))
    .find((found) => found !== null);
  if (kind === undefined) return null;
  if (kind === 'state') return find('deny', at, 'it belongs to Plimsoll', refused(what));
  if (change.act === 'mode' && change.whole === false) return null;
  if (kind === 'settings') return judgeSettings(each, call, sight, what);
  return change.act === 'write' && change.follows
    ? find('ask', at, "it is the project's configuration of Plimsoll", asked(what))
    : find('deny', at, "it is the project's configuration of Plimsoll", refused(what));
}

/** How deep a search finds what is ours. */
const DEPTHS = ['', '*/', '*/*/', '*/*/*/'];

/** What is said of a change whose place cannot be known: by its known parts, and by what the command names. */
export function checkOwnUnknown(
  change: PathChange,
  commands: readonly string[][],
  call: GuardedCall,
  sight: FileSystemPort,
): GuardrailFinding | null {
  const own = ownOf(sight);
  const at = displayText(change.written);
  const what = `Changing ${at} (by ${change.by})`;
  const kind = (path: string): Kind | null => kindOf(normalize(path), own, false);
  const { tail, within, found } = change;
  const mine = `${toSlashes(call.root)}/${FOLDER}`;
  const isBelow = within !== undefined && kind(within) !== null;
  const isNamed = tail?.startsWith('/') && kind(tail) !== null;
  const isFound = (folder: string): boolean =>
    found !== undefined &&
    within !== undefined &&
    stripFolder(folder, normalize(within)) !== null &&
    (matchesName(found, folder.replace(/^.*\//, '')) ||
      DEPTHS.some((between) => (sight.expand(`${folder}/${between}${found}`) ?? []).length > 0));
  if (isBelow || isNamed || [mine, ...own.folders].some(isFound))
    return find('deny', at, 'its known part belongs to Plimsoll', refused(what));
  const words = [...(change.mentions ?? []), ...commands.flat()];
  const named = words.find((word) => isOurs(word, call, own));
  if (named === undefined) return null;
  const why = change.why ?? 'what it changes cannot be known';
  const place = displayText(named, 80);
  const reason = `\`${at}\` may change what belongs to Plimsoll (${place}): ${why} (guardrail rule "own").`;
  return find('ask', at, `${why}, and it names what belongs to Plimsoll`, { ...asked(what), reason });
}

/** Whether a word of a command names a place of ours. */
const isOurs = (word: string, call: GuardedCall, own: OwnPaths): boolean =>
  word.length < 1000 &&
  (word.includes(`${FOLDER}/`) ||
    kindOf(normalize(toAbsolute(word, call.cwd, call.home)), own, false) !== null);

/** Commands of Plimsoll that decide about the guardrails, or about whether it speaks at all. */
const DECIDING =
  /^(?:on|off|trust|uninstall|delete|config (?:set|unset) (?:enabled|guardrails|orchestration\.hold_stop))$/;
const PROGRAM = /^(?:plimsoll(?:@.*)?|cli\.cjs)(?:\.(?:exe|cmd|ps1))?$/;
const STARTER = /^(?:npx|bunx|npm|pnpm|yarn|node(?:js)?|bun|deno|exec|dlx|x|run|--)$/;

/** The deciding command that a simple command runs, as it is shown; null for all else. */
export function findDecidingRule(words: readonly string[]): string | null {
  const name = (word: string): string => word.replace(/^.*[\\/]/, '');
  const at = words.findIndex((word) => PROGRAM.test(name(word)));
  const isStarted = words
    .slice(0, Math.max(0, at))
    .every((word) => /^-/.test(word) || STARTER.test(name(word)));
  if (at < 0 || !isStarted || words.includes('--dry-run')) return null;
  const [verb = '', action = '', key = ''] = words.slice(at + 1).filter((word) => !word.startsWith('-'));
  const said = verb === 'config' ? `config ${action} ${key.replace(/^(guardrails)[.[].*$/, '$1')}` : verb;
  return DECIDING.test(said) ? `plimsoll ${said}` : null;
}

/** Findings on the commands of a call: commands of ours that a person decides about, unknown ones that name a place of ours. */
export function checkOwnCommands(
  { commands, passedOn, unread }: Pick<Changes, 'commands' | 'passedOn' | 'unread'>,
  call: GuardedCall,
  sight: FileSystemPort,
): GuardrailFinding[] {
  const own = ownOf(sight);
  const unknown = new Set(unread);
  return [...(commands ?? []), ...passedOn].flatMap((words) => {
    const deciding = findDecidingRule(words);
    if (deciding !== null)
      return [find('ask', deciding, 'it decides over Plimsoll', asked(`\`${deciding}\``))];
    const text = words.join(' ');
    if (!unknown.has(text) || !words.slice(1).some((word) => isOurs(word, call, own))) return [];
    const at = displayText(text, 80);
    const told = {
      ...asked(''),
      reason: `\`${at}\` may change what Plimsoll guards or says (guardrail rule "own").`,
    };
    return [find('ask', at, 'it may change what belongs to Plimsoll', told)];
  });
}
