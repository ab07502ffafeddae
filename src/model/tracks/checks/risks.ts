// Is there an answer to every risk that is high or critical?
import { type Check, filesOf } from './check.ts';

export const checkRisks: Check = (texts) =>
  filesOf(texts).flatMap(({ entries }) =>
    entries.entries.flatMap((each) =>
      each.kind === 'risk' &&
      (each.severity === 'high' || each.severity === 'critical') &&
      each.status !== 'closed' &&
      each.mitigation === null
        ? [
            {
              ...each.source,
              message: `${each.severity} risk ${JSON.stringify(each.text.slice(0, 60))} has no mitigation`,
              next: 'add "  - Mitigation: …" below it, or "  - Status: closed"',
            },
          ]
        : [],
    ),
  );
