// Loads the host that wrote a session, where it is another one than that which asks.

import type { Host } from './host.ts';

/** The host of a name; the one that asks where it is that, where none is named, and where the name is not known here. */
export async function loadHost(own: Host, name: string | null): Promise<Host> {
  if (name === null || name === own.name) return own;
  const { findHost } = await import('./registry.io.ts');
  return findHost(name)?.host ?? own;
}
