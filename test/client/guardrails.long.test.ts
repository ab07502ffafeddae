// Tests that guardrails leave the user's own permissions in force on the real client.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { protectedSandbox } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import { bash, main, standard } from './said.ts';

const CONFIG = '[guardrails]\nmode = "enforce"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n';

test("what we let through is still asked about where the user's own permissions ask", async () => {
  const sandbox = await protectedSandbox({
    settings: { permissions: { allow: ['Read'] } },
    script: {
      main: [
        { tools: [bash('echo free > src.txt')], fill: 30_000 },
        { text: 'done', fill: 30_100 },
      ],
    },
    files: { '.plimsoll/config.toml': CONFIG },
  });
  onTestFinished(() => sandbox.close());
  const talk = openSession(sandbox, standard);
  await talk.say('work');
  await talk.end();
  // Nobody is there to say yes: the client itself refuses.
  expect(existsSync(path.join(sandbox.projectDir, 'src.txt'))).toBe(false);
  const [, second] = main(sandbox);
  expect(second && textOf(second)).not.toContain('Plimsoll: ');
});
