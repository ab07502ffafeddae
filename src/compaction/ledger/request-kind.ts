// Classifies a request: the goal of the work, a new topic, an addition, a side question, a push, or courtesy.
import type { Speaker } from '../../hosts/entry.ts';
import { isOnlyConstraints, splitSentences } from './constraints.ts';
import type { RequestKind } from './ledger.ts';
import { beginsWithAgreement, emptyKindOf } from './push-words.ts';

const QUESTION_WORDS =
  /^(?:(?:and|but|so|ok|okay|hm+|wait|also|btw|just curious|quick question)[\s,:–-]+)?(?:what|what's|whats|why|how|how's|where|which|who|whose|when|is|isn't|are|aren't|was|were|does|doesn't|did|didn't|has|have|had|do (?:we|you|they|i)|was|warum|wieso|weshalb|wie|wo|wer|welche[rsnm]?|wann|ist|sind|gibt es|hat|pourquoi|comment|où|qui|quel(?:le)?s?|quand|est-ce|qu'est|por ?qué|cómo|dónde|quién|cuál(?:es)?|cuándo|qué|почему|как|где|кто|когда|что|зачем)\b/iu;
const ASKS_TO_TELL =
  /^(?:(?:can|could|would|will) you (?:please )?)?(?:tell me|explain|remind me|show me (?:what|why|how|where)|erklär|explique|explica|расскажи|объясни|解释|説明|설명)/iu;
/** A request in the form of a question is none: "can you add …?" */
const ASKS_TO_DO =
  /^(?:(?:ok|okay|so|and|also|now)[\s,]+)?(?:can|could|would|will|why don't|why not|how about|what about|what if|should|shall|let's|kannst|könntest|würdest|peux|pourrais|pouvez|puedes|podrías|можешь|可以帮|能不能|帮我|やってもらえ|해 ?줄)/iu;
const ENDS_ASKING = /(?:[?？؟]|吗|呢|嗎|か。?|까\??|나요\??)\s*[)"'”」』]*\s*$/u;

const NEW_TOPIC =
  /\b(?:new task|next task|new topic|different task|something else|change of plans?|forget (?:that|it|about)|scrap that|never ?mind (?:that|the)|now (?:do|build|write|implement|add|fix|make|create|work on|let's)|neue aufgabe|etwas anderes|stattdessen jetzt|nouvelle tâche|autre chose|nueva tarea|otra cosa)\b|новая задача|新任务|换个任务|新しいタスク|次のタスク|새 작업/iu;

/** Words by which somebody picks one of the choices that were offered. */
const CHOICE =
  /^(?:no\b|nope|nah|nein|non\b|нет|不|否|いいえ|아니|the (?:first|second|third|last|former|latter|other)|first|second|third|both|neither|all of (?:them|it)|either|option|number|variant|[a-d1-9](?:[).,:]|\s|$)|#\d|die (?:erste|zweite)|beide|le (?:premier|deuxième)|la (?:première|deuxième)|el (?:primero|segundo)|第[一二三]|最初|第一|첫)/iu;

/** The question with which the agent's last answer ended, or null. */
function questionIn(answer: string | null): string | null {
  const last = answer?.trim().split('\n').at(-1)?.trim() ?? '';
  return /[?？؟]\s*[*_)"'”]*$/u.test(last) ? (splitSentences(last).at(-1)?.text ?? last) : null;
}

/** How an offer begins; "Shall I go on?" offers nothing that is worth keeping. */
const OFFER =
  /^(?:(?:shall|should|may|can|could) (?:i|we)|(?:do|would) you (?:want|like) (?:me|us) to|want me to|ready to|is it (?:ok|okay|fine) to|soll(?:en|te)? (?:ich|wir)|darf ich|dois-je|puis-je|devo|puedo|debo)\s+/iu;
const isMereOffer = (question: string): boolean => emptyKindOf(question.replace(OFFER, '')) !== null;

/** The question that a request answers by choosing, or by agreeing; null where it answers none. */
export function answeredBy(text: string, answer: () => string | null): string | null {
  if (!CHOICE.test(text) && !beginsWithAgreement(text)) return null;
  const question = questionIn(answer());
  return question !== null && emptyKindOf(text) !== null && isMereOffer(question) ? null : question;
}

function isQuestion(text: string): boolean {
  let asks = false;
  for (const { text: sentence } of splitSentences(text)) {
    const ends = ENDS_ASKING.test(sentence);
    const tells = ASKS_TO_TELL.test(sentence);
    if (!(ends && !ASKS_TO_DO.test(sentence)) && !QUESTION_WORDS.test(sentence) && !tells) return false;
    asks ||= ends || tells;
  }
  return asks;
}

/**
 * What a request is to the work.
 *
 * @param known whether the work has a goal already
 * @param answer gives the agent's last answer, or null
 */
export function findRequestKind(
  request: { text: string; by: Speaker; command: string | null },
  known: boolean,
  answer: () => string | null,
): RequestKind {
  const { text, by, command } = request;
  const empty = command === null ? emptyKindOf(text) : null;
  if (empty !== null) return empty;
  if (!known) return 'goal';
  if (command !== null) return 'topic';
  if (NEW_TOPIC.test(text)) return 'topic';
  if (isQuestion(text)) return 'question';
  if (by === 'queued') return 'addition';
  if (answeredBy(text, answer) !== null) return 'addition';
  // Nothing but rules and corrections adds to what is under way.
  return isOnlyConstraints(text) ? 'addition' : 'topic';
}
