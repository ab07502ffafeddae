// Words that say nothing of a certain project: cue words, programs, folders, what tools and the client print.

const WORDS =
  'aborted accept accepted across actually against agreed allowed almost already although always ' +
  'analysis another answer answered answers anthropic anyone anything anyway applicable approve ' +
  'approved around asking assert assertion assets authored background became because become before ' +
  'behind beneath beside besides better between beyond bisect branch cached cancel cannot caveat ' +
  'certain change changed changelog characters checkout cherry choose chosen clarify claude coding ' +
  'command commands commit compacted compaction completed concepts config configs conflict conflicts ' +
  'consider content context continue continued conversation correct couldn coverage covers created ' +
  'current decide decided decision denied describe details differently directory docker dockerfile ' +
  'duplicate during earlier easier edited either encountered enough ensure entrypoint errored errors ' +
  'eslint everyone everything exactly example examples except exception exclude exists expected ' +
  'explicitly export failed failing failure failures finally finish folder following forbid forget ' +
  'format former further generated getting golangci gotest gotestsum having herself himself hookevent ' +
  'hookname however implement implementation import important include indeed inference inside install ' +
  'instead integration intent internal interrupted invalid itself killed kubectl latter license ' +
  'localhost makefile master matches message messages microcompacted missing modified module modules ' +
  'moreover mostly myself nearly needed neither nevertheless nobody nothing notification nowhere ' +
  'oneline operation option optional origin others otherwise ourselves output outside package parallel ' +
  'passed passes passing pending perhaps permission permissionmode persisted please podman poetry ' +
  'portion prefer preferred prettier previous primary printf problem proceed progress pytest python ' +
  'question questions rather readme really reason rebase recommended recursive reflog regarding reject ' +
  'rejected remember reminder remote remove rename replace request required respond response restore ' +
  'result resume retrieval return revert running script scripts second seconds sections sequence ' +
  'service session several shellcheck should shouldn sibling simply skipped snippet snippets solving ' +
  'somehow someone something sometimes somewhere specific staged started staticcheck status ' +
  'statuschange stderr stdout string subtype success successful successfully summarized summary switch ' +
  'syntax system technical terraform testing thanks theirs themselves therefore things thinkingmetadata ' +
  'though through throughout timeout todowrite together toolname toward towards traceback transcript ' +
  'trigger typecheck undefined unexpected uninstall unknown unless updated updatedfields updating ' +
  'usertype vendor verbose version vitest warning webpack whatever whenever whereas wherever whether ' +
  'whichever whoever within without worktree wouldn writing written yourself yourselves';

const KEPT = new Set(WORDS.split(' '));

/** Whether a word (of six letters and more) is too common to show that a sentence was used. */
export const isKeptWord = (word: string): boolean => KEPT.has(word);
