// What add-ons do at tool calls: a bundle of its own, loaded only where one of them works at tools.
import type { AfterToolContext, FastContext, GuardContext } from '../hook/snapshot.io.ts';
import { tryStepAsync } from '../platform/project/try-step.ts';
import { NAMED_ADDONS } from './addon.ts';

/** Judges a tool call before it runs. */
export async function judgeTool(hook: GuardContext, print: (text: string) => void): Promise<void> {
  for (const [name, addon] of NAMED_ADDONS)
    await tryStepAsync(hook, name, async () => addon.beforeTool?.(hook, print));
}

/** Whether a tool call has left something for an add-on to look at. */
export async function isDueAfterTool(hook: FastContext): Promise<boolean> {
  for (const [name, addon] of NAMED_ADDONS)
    if (await tryStepAsync(hook, name, async () => addon.isDueAfterTool?.(hook))) return true;
  return false;
}

/** Records a tool call that has run. */
export async function recordTool(hook: AfterToolContext): Promise<void> {
  for (const [name, addon] of NAMED_ADDONS)
    await tryStepAsync(hook, name, async () => addon.recordTool?.(hook));
}
