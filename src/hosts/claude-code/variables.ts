// The variables that move our files or set a setting of ours, and the one that tells the client's version.

/** A project may set PLIMSOLL_TRACK. */
export const OURS_BY_ENV =
  /^(?:PLIMSOLL(?!_TRACK$)(?:_.*)?|XDG_(?:CONFIG|STATE|DATA)_HOME|HOME|USERPROFILE|CLAUDE_CONFIG_DIR)$/;

/** First client whose modules see prompts and tool calls: there the plugin's module answers them, in the client. */
export const FIRST_WITH_MODULES = '2.1.287';

/** The version that the client reports to what it starts, or null. */
export const readReportedVersion = (env: Record<string, string | undefined>): string | null =>
  /^claude-code_(\d+)-(\d+)-(\d+)/
    .exec(env.AI_AGENT ?? '')
    ?.slice(1)
    .join('.') ?? null;
