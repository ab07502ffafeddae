// Reads and changes two lists of the section: what agents have done, and the files to read first.
import { type Data, type DataMap, isMap } from '../../../text/json.ts';
import {
  listBelow,
  mapBelow,
  readScalarText,
  readSection,
  refuseChange,
  SECTION,
  withSection,
} from './section.ts';

const AGENTS = 'agent_summaries';
const FILES = 'files_to_read';

/** The agent of an entry in a list of summaries, and under which name the entry has it. */
function agentIn(entry: Data): { field: string; name: string } | null {
  if (!isMap(entry)) return null;
  const field = ['agent', 'id', 'name'].find((each) => typeof entry[each] === 'string');
  return field === undefined ? null : { field, name: String(entry[field]) };
}

/** One line of what an agent did; a new line replaces the old one. */
export function noteAgentDone(top: DataMap, agent: string, summary: string): DataMap {
  const section = readSection(top);
  const there = section[AGENTS] ?? null;
  if (!Array.isArray(there)) {
    const agents = mapBelow(section, AGENTS);
    const old = Object.hasOwn(agents, agent) ? agents[agent] : null;
    // Some files say more of an agent than its summary.
    const entry: Data = isMap(old) ? { ...old, summary } : summary;
    return withSection(top, { ...section, [AGENTS]: { ...agents, [agent]: entry } });
  }
  const isKnown = there.some((each) => agentIn(each)?.name === agent);
  const field = there.map(agentIn).find((each) => each !== null)?.field ?? 'agent';
  const changed = isKnown
    ? there.map((each) => (isMap(each) && agentIn(each)?.name === agent ? { ...each, summary } : each))
    : [...there, { [field]: agent, summary }];
  return withSection(top, { ...section, [AGENTS]: changed });
}

/** What agents did, whether it stands in a map or in a list. */
export function listAgents(section: DataMap): Record<string, string> {
  const there = section[AGENTS] ?? null;
  const pairs: [string, Data | undefined][] = Array.isArray(there)
    ? there.flatMap((each): [string, Data | undefined][] => {
        const agent = agentIn(each);
        return agent === null || !isMap(each) ? [] : [[agent.name, each.summary]];
      })
    : isMap(there)
      ? Object.entries(there).map(([name, each]) => [name, isMap(each) ? each.summary : each])
      : [];
  return Object.fromEntries(
    pairs.flatMap(([name, each]) => {
      const said = readScalarText(each);
      return said === null ? [] : [[name, said]];
    }),
  );
}

/** A file to read, as it is listed. */
export interface ListedFile {
  path: string;
  priority: number;
  purpose: string | null;
  sections: string[];
}

/** What can be said of a file to read. */
export interface FileEntry {
  path: string;
  priority?: number | undefined;
  purpose?: string | undefined;
  sections?: string[];
}

/** The files to read, first things first: a list of paths or of maps, or a map of paths. */
export function listFilesToRead(section: DataMap): ListedFile[] {
  const there = section[FILES] ?? null;
  const entries: DataMap[] = Array.isArray(there)
    ? there.map((each) => (isMap(each) ? each : { path: each }))
    : isMap(there) && typeof there.path === 'string'
      ? [there]
      : isMap(there)
        ? Object.entries(there).map(([path, each]) =>
            isMap(each) ? { path, ...each } : { path, purpose: each },
          )
        : [];
  const files = entries.flatMap((entry, index) => {
    const path = readScalarText(entry.path);
    if (path === null) return [];
    const sections = Array.isArray(entry.sections)
      ? entry.sections.flatMap((each) => readScalarText(each) ?? [])
      : [];
    const priority = typeof entry.priority === 'number' ? entry.priority : index + 1;
    return [{ path, priority, purpose: readScalarText(entry.purpose), sections }];
  });
  return files.sort((a, b) => a.priority - b.priority);
}

const pathIn = (entry: Data): string | null => {
  const path = isMap(entry) ? entry.path : entry;
  return typeof path === 'string' ? path : null;
};

/** A file to read; what is said of one that is listed already replaces what was said of it. */
export function addFile(top: DataMap, file: FileEntry): { top: DataMap; isNew: boolean } {
  const section = readSection(top);
  const there = listBelow(section, [FILES]);
  const { path, priority, purpose, sections = [] } = file;
  const details: DataMap = {
    ...(priority === undefined ? {} : { priority }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(sections.length === 0 ? {} : { sections }),
  };
  const hasDetails = Object.keys(details).length > 0;
  const isNew = !there.some((each) => pathIn(each) === path);
  const areTexts = there.length > 0 && there.every((each) => typeof each === 'string');
  const entry: Data =
    areTexts && !hasDetails
      ? path
      : { path, ...(priority === undefined ? { priority: there.length + 1 } : {}), ...details };
  const changed = isNew
    ? [...there, entry]
    : there.map((each): Data => {
        if (pathIn(each) !== path || !hasDetails) return each;
        return isMap(each) ? { ...each, ...details } : { path, ...details };
      });
  return { top: withSection(top, { ...section, [FILES]: changed }), isNew };
}

export function removeFile(top: DataMap, path: string): DataMap {
  const section = readSection(top);
  const there = listBelow(section, [FILES]);
  if (!there.some((each) => pathIn(each) === path)) {
    const known = there.flatMap((each) => pathIn(each) ?? []);
    throw refuseChange(
      `"${path}" is no file to read`,
      [SECTION, FILES],
      known.length === 0 ? 'none is listed' : `listed are ${known.join(', ')}`,
    );
  }
  return withSection(top, { ...section, [FILES]: there.filter((each) => pathIn(each) !== path) });
}
