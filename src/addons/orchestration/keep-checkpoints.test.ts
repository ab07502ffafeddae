import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY, file, NOW, run } from '../../../test/unit/aged.ts';
import { draft, orchestration, state } from '../../../test/unit/drafts.ts';
import { temporaryProject } from '../../../test/unit/temporary.ts';
import { listCheckpoints } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { writeCheckpoint } from '../../compaction/checkpoint/checkpoint-store.io.ts';
import { readWorkflowStatus } from './find-workflow.io.ts';

const text = (status: string, id: string): string =>
  `workflow:\n  id: w\n  status: ${status}\nresumption:\n  recovery_state:\n    last_checkpoint: "${id}"\n`;

test.each<[string, string]>([
  ['in the root', 'ORCHESTRATION.yaml'],
  ['in one of several projects', 'projects/one/ORCHESTRATION.yaml'],
  ['where the checkpoint was written, wherever that is', 'deep/down/ORCHESTRATION.yaml'],
])('retention keeps what an active workflow names that lies %s', (_, name) => {
  const paths = temporaryProject();
  const root = paths.root ?? '';
  file(join(root, 'projects', 'two', 'ORCHESTRATION.yaml'), text('ACTIVE', 'CP-1'));
  const within = { orchestration: orchestration({ state: state({ path: name }) }) };
  for (let count = 0; count < 3; count++) writeCheckpoint(paths, draft(within), NOW - 31 * DAY);
  file(join(root, name), text('ACTIVE', 'cx-002'));
  run(paths, 1);
  expect(listCheckpoints(paths)).toEqual(['cx-002', 'cx-003']);
  file(join(root, name), text('COMPLETE', 'cx-002'));
  run(paths, 1);
  expect(listCheckpoints(paths)).toEqual(['cx-003']);
});

test('an active section counts, whatever the head says', () => {
  const section = 'resumption:\n  recovery_state:\n    workflow_status: ACTIVE\n';
  expect(readWorkflowStatus(`workflow:\n  status: COMPLETE\n${section}`)).toBe('ACTIVE');
});
