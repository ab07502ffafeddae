// Checks that every high or critical risk has an answer.
import { isUnsaid } from '../placeholder.ts';
import { type Check, filesOf } from './check.ts';

/** Nobody has to answer what has gone, or what was accepted. */
const isAnswered = (status: string): boolean => status === 'closed' || status === 'accepted';

export const checkRisks: Check = (texts) =>
  filesOf(texts).flatMap(({ entries }) =>
    entries.entries.flatMap((each) => {
      if (each.kind !== 'risk' || isAnswered(each.status)) return [];
      const { severity, mitigation, text, source } = each;
      if (severity !== 'high' && severity !== 'critical') return [];
      if (mitigation !== null && !isUnsaid(mitigation)) return [];
      const said = mitigation === null ? '' : `: ${JSON.stringify(mitigation.slice(0, 60))}`;
      return [
        {
          ...source,
          message: `${severity} risk ${JSON.stringify(text.slice(0, 60))} has no mitigation${said}`,
          next: 'write "  - Mitigation: …" below it, or "  - Status: accepted" where nothing is to be done',
        },
      ];
    }),
  );
