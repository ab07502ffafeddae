// The files of two tracks: one that is ready to be worked on, and one that is not.
export const TRACK = 'docs/tracks/cache';

export const READY: Record<string, string> = {
  'docs/tracks/ACTIVE_TRACK': 'cache\n',
  [`${TRACK}/SPEC.md`]:
    '# Specification: A cache\n\n## Goal\n\nAnswers come from a cache.\n\n## Scope\n\n- In: reading\n\n## Acceptance\n\n- A hit costs no request.\n',
  [`${TRACK}/PLAN.md`]:
    '# Plan: A cache\n\n## Tasks\n\n- [x] Task: [T-1] Write the reader\n  - Acceptance: reads\n- [ ] Task: [T-2] Write the writer\n  - Acceptance: writes\n',
  [`${TRACK}/RISKS.md`]: '# Risks\n',
  [`${TRACK}/DECISIONS.md`]: '# Decisions\n',
};

export const UNREADY: Record<string, string> = {
  ...READY,
  [`${TRACK}/PLAN.md`]: `${READY[`${TRACK}/PLAN.md`]}\nTODO: the rest\n`,
};
