// What add-ons do at tool calls: a bundle of its own, loaded only where one of them works at tools.
import type { AfterToolContext, FastContext, GuardContext } from '../hook/snapshot.io.ts';
import { askAddons } from './addon.ts';

/** Judges a tool call before it runs. */
export async function judgeTool(hook: GuardContext, print: (text: string) => void): Promise<void> {
  await askAddons(hook, (addon) => addon.beforeTool?.(hook, print));
}

/** Whether a tool call has left something for an add-on to look at. */
export const isDueAfterTool = async (hook: FastContext): Promise<boolean> =>
  (await askAddons(hook, (addon) => addon.isDueAfterTool?.(hook))).includes(true);

/** Records a tool call that has run. */
export async function recordTool(hook: AfterToolContext): Promise<void> {
  await askAddons(hook, (addon) => addon.recordTool?.(hook));
}
