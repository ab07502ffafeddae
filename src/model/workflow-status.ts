// Is a workflow under way?

/** Whether a workflow of that status is. */
export const isActive = (status: string | null | undefined): boolean =>
  /^(?:active|in[ _-]?progress)$/i.test(status ?? '');
