// Words by which the person limits a rule to the task at hand ("for this fix", "for now"); nothing else is guessed.

/** Each expression is made at its first use: that takes a millisecond, and most hooks do without. */
const isScoped = (text: string): boolean =>
  /\b(?:(?:for|in|within|during) (?:this|the current) (?:one |single )?(?:fix|bug ?fix|task|change|bug|issue|ticket|feature|pr|pull request|commit|patch|step|refactor(?:ing)?|rename|migration|round|run|iteration|exercise|one)|for now|for the moment|for the time being|(?:just |only )?(?:this|for) once|(?:just |only )(?:this|for this|for one) time|this time(?=\s*(?:[,.;:!]|$))|just once|für den moment|für jetzt|fürs erste|vorerst|vorläufig|diesmal|dieses mal|nur (?:dieses )?einmal|(?:für|in|bei) diese[rnms]? (?:aufgabe|fix|fehler|änderung|schritt|ticket|commit|pr)|pour (?:l['’]instant|le moment)|cette fois|(?:pour|dans) (?:cette tâche|ce correctif|ce commit|ce ticket|cette modification)|por (?:ahora|el momento)|esta vez|(?:para|en) (?:esta tarea|este arreglo|este cambio|este commit)|por enquanto|desta vez|(?:para|nesta|nesse) (?:esta )?tarefa|per (?:ora|adesso|il momento)|(?:questa|sta)[ ]?volta|voorlopig|deze keer|voor deze (?:taak|wijziging)|na razie|tym razem|şimdilik|bu sefer(?:lik)?)(?![\p{L}])/iu.test(
    text,
  );
const isScopedElsewhere = (text: string): boolean =>
  /(?<![\p{L}])(?:пока что|на этот раз|в этот раз|(?:для|в) этой задач[еи]|(?:для|в) этом (?:исправлении|коммите)|цього разу)(?![\p{L}])|这次|這次|本次|此次|暂时|暫時|这个任务|今回|とりあえず|一旦|今のところ|このタスク|이번에|이번만|이번 (?:작업|수정)|당분간|هذه المرة|في الوقت الحالي|هذه المهمة/iu.test(
    text,
  );

/** Whether a sentence says that it holds for the task at hand alone. */
export const isForOneTask = (text: string): boolean => isScoped(text) || isScopedElsewhere(text);
