// What a report says of one compaction: how early it was announced, what was known, what was told and what was missing.

import type { ReplayedCompaction } from '../replay/replayed.ts';
import { formatThousands } from '../text/lines.ts';
import { buildTable, heading, html, type Markup } from './html.ts';
import { type CompactionEvidence, formatMoment } from './report-data.ts';

const CHANNELS = [
  ['prompt_only', 'at prompts alone'],
  ['with_tool_use', 'at prompts and tools'],
  ['status_line', 'in the status line'],
] as const;

const figure = (tokens: number | null): string => (tokens === null ? 'unknown' : formatThousands(tokens));

function buildLeads({ lead }: ReplayedCompaction): Markup {
  return buildTable(
    'From the first warning to the compaction',
    ['where the usage is heard of', 'calls', 'minutes', 'tokens', 'prompts'],
    CHANNELS.map(([channel, name]) => {
      const found = lead[channel];
      return found === null
        ? [name, 'no warning', '-', '-', '-']
        : [name, found.calls, found.minutes ?? '-', found.tokens, found.prompts];
    }),
  );
}

function buildKnown({ known }: CompactionEvidence, level: number): Markup {
  const facts = known.filter(({ items }) => items.length > 0);
  return html`<div class="known">${heading(level, 'What the ledger knew')}${
    facts.length === 0
      ? html`<p>Nothing.</p>`
      : facts.map(
          ({ title, items }) =>
            html`<details open><summary>${title}<span class="soft">${items.length}</span></summary><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></details>`,
        )
  }</div>`;
}

function buildRetention({ facts }: CompactionEvidence, level: number): Markup {
  if (facts.length === 0)
    return html`${heading(level, 'What was needed after it')}<p>None of the known facts was needed soon after it.</p>`;
  const kinds = [...new Set(facts.map(({ kind }) => kind))];
  const rows = [...kinds, null].map((kind) => {
    const own = facts.filter((fact) => kind === null || fact.kind === kind);
    const share = (told: number): string => `${Math.round((100 * told) / own.length)}%`;
    const bySummary = own.filter((fact) => fact.bySummary).length;
    const withOurs = own.filter((fact) => fact.withOurs).length;
    return [kind ?? 'all', own.length, bySummary, share(bySummary), withOurs, share(withOurs)];
  });
  const missing = facts.filter(({ withOurs }) => !withOurs);
  return html`${heading(level, 'What was needed after it')}${buildTable(
    'Needed facts, and how many of them were told',
    ['kind', 'needed', 'by the summary', 'share', 'with Plimsoll', 'share with it'],
    rows,
  )}${
    missing.length === 0
      ? html`<p>Every needed fact was told.</p>`
      : html`<details><summary>Needed, and told by neither<span class="soft">${missing.length}</span></summary><ul>${missing.map(({ kind, value }) => html`<li>${value} <span class="soft">(${kind})</span></li>`)}</ul></details>`
  }`;
}

function buildEvidence(evidence: CompactionEvidence, level: number): Markup {
  const { text, tokens } = evidence.told;
  return html`${buildRetention(evidence, level)}<div class="two">${buildKnown(evidence, level)}<div>${heading(level, 'What was told')}${
    text === ''
      ? html`<p>Nothing.</p>`
      : html`<p class="soft">${formatThousands(tokens)} tokens, in the request right after it</p><pre>${text}</pre>`
  }</div></div>`;
}

/**
 * One compaction.
 * @param level of its heading
 */
export function buildCompaction(
  compaction: ReplayedCompaction,
  index: number,
  evidence: CompactionEvidence | null,
  level: number,
): Markup {
  const {
    trigger,
    at,
    pre_tokens,
    last_tokens,
    next_tokens,
    rework,
    call,
    other_methods: others,
  } = compaction;
  const title = `${index + 1}: ${trigger ?? 'unknown trigger'}, ${figure(pre_tokens ?? last_tokens)} → ${figure(next_tokens)} tokens`;
  return html`${heading(level, title)}<p class="soft">After call ${call}, ${formatMoment(at)}. Files known before and read again within 20 calls: ${rework}.</p>${buildLeads(compaction)}<p class="soft">Right before it other methods would have shown ${figure(others.input_only)} (input alone), ${figure(others.summed)} (all calls added up) or ${figure(others.bytes_by_4)} tokens (bytes divided by four).</p>${evidence === null ? null : buildEvidence(evidence, level + 1)}`;
}
