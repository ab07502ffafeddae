// Measures the CPU and wall time of programs to a fraction of a millisecond, with nothing but Node and bash.
//
// Node reports resource usage of itself only (`RUSAGE_SELF`), and /proc/<pid>/stat counts in ticks of 10 ms. Bash's
// `time` takes the kernel's `RUSAGE_CHILDREN` and counts everything a program started (git, for one) with it. Bash
// before 5.3 rounds user and system time to 1 ms each, so REPEATS runs are timed as one sample: rounding is then at
// most 0.2 ms a run, and bash's own fork (about 0.5 ms) is in the baseline and in what is compared with it alike.
import { spawnSync } from 'node:child_process';

/** Runs in one sample. */
export const REPEATS = 5;

/**
 * One run: argv, a file for its stdin, and what is added to the environment.
 * @typedef {{ argv: string[], stdin: string, env?: Record<string, string> }} Run
 *
 * What is measured: the runs of one sample. `prepare` runs before each sample and `check` after it; neither is in the
 * measured time.
 * @typedef {{ name: string, runs: Run[], prepare?: () => void, check?: () => void }} Program
 */

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function commandLine({ argv, stdin, env = {} }) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)} `);
  return `${variables.join('')}${argv.map(quote).join(' ')} <${quote(stdin)} >/dev/null || exit 1`;
}

/** Measures one sample, in milliseconds per run. A run sees `env` only, nothing of this process's environment. */
export function sample(runs, env) {
  const script = `TIMEFORMAT='time %6R %6U %6S'\ntime {\n${runs.map(commandLine).join('\n')}\n}`;
  const { status, stderr, error } = spawnSync('bash', ['--noprofile', '--norc', '-c', script], {
    env,
    encoding: 'utf8',
  });
  const times = /time ([\d.,]+) ([\d.,]+) ([\d.,]+)/.exec(stderr ?? '');
  if (error !== undefined || status !== 0 || times === null) {
    throw new Error(
      `cannot measure: ${error?.message ?? `bash ended with ${status}`}\n${stderr ?? ''}${script}`,
    );
  }
  const [wall, user, system] = times
    .slice(1)
    .map((seconds) => (Number(seconds.replace(',', '.')) * 1000) / runs.length);
  return { wall, cpu: user + system };
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export function shuffled(list) {
  const result = [...list];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [result[at], result[other]] = [result[other], result[at]];
  }
  return result;
}

/**
 * Medians and minima per program. All programs take part in every round, each time in another order, so that a slow
 * moment of the machine meets them alike; one round before the first is not counted.
 * @param {Program[]} programs
 */
export function measure(programs, rounds, env) {
  const samples = new Map(programs.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const program of shuffled(programs)) {
      program.prepare?.();
      const taken = sample(program.runs, env);
      program.check?.();
      if (round > 0) samples.get(program.name).push(taken);
    }
  }
  return new Map(
    [...samples].map(([name, taken]) => {
      const cpu = taken.map((each) => each.cpu);
      const wall = taken.map((each) => each.wall);
      return [
        name,
        { cpu: median(cpu), cpuMin: Math.min(...cpu), wall: median(wall), wallMin: Math.min(...wall) },
      ];
    }),
  );
}
