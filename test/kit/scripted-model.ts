// A local server that plays the model from a script and records what the client asks of it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, answerOf, estimatedTokens, eventStream } from './answer.ts';
import { contentText, kindOf, lastText, type MessagesBody } from './request-body.ts';
import { fromResponses, responsesStream } from './responses.ts';
import { createCues, type Kind, type Script, type Turn } from './script.ts';
import { pause } from './wait.ts';

/** Headers are not part of it: they carry the key. */
export type RecordedRequest = {
  n: number;
  at: number;
  kind: Kind;
  model: string;
  system: string;
  messages: { role: string; text: string }[];
  body: MessagesBody;
  /** What the request is answered with; it may still be on its way (`delayMs`, `onRequest`). */
  answer: Answer;
  /** Tells the loops of several subagents apart. */
  agentId?: string;
};

export type ScriptedModel = {
  url: string;
  requests: RecordedRequest[];
  push(kind: Kind, ...turns: Turn[]): void;
  /** Fails if an `onRequest` failed, so that an assertion inside one is not lost. */
  close(): Promise<void>;
};

const loopback = '127.0.0.1';

export async function startScriptedModel(
  script: Script,
  host: string = loopback,
  /** Tells whose request it is, where the client is another one than Claude Code. */
  kindIn: (body: MessagesBody, agentId: string | undefined) => Kind = kindOf,
): Promise<ScriptedModel> {
  if (host !== loopback) throw new Error(`the scripted model listens on ${loopback} only, not on ${host}`);
  const cues = createCues(script);
  const requests: RecordedRequest[] = [];
  const failures: unknown[] = [];

  async function answerMessages(
    body: MessagesBody,
    agentId: string | undefined,
    response: ServerResponse,
    format = eventStream,
  ) {
    const kind = kindIn(body, agentId);
    const turn = cues.next(kind, lastText(body));
    const request = record(body, kind, agentId, turn, requests.length + 1);
    requests.push(request);
    await turn.onRequest?.(request);
    if (turn.delayMs) await pause(turn.delayMs);
    // The client may be gone by now: killed by onRequest, or it gave up waiting.
    if (!response.destroyed) send(request.answer, body.stream === true, response, format);
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse) {
    const text = await bodyText(incoming);
    const { pathname } = new URL(incoming.url ?? '/', `http://${loopback}`);
    if (incoming.method === 'POST' && pathname === '/v1/responses')
      return answerMessages(fromResponses(JSON.parse(text)), undefined, response, responsesStream);
    if (incoming.method !== 'POST' || !pathname.startsWith('/v1/messages'))
      return sendJson(response, 200, {});
    const body = JSON.parse(text) as MessagesBody;
    if (pathname === '/v1/messages/count_tokens') {
      return sendJson(response, 200, { input_tokens: estimatedTokens(body) });
    }
    const agentId = incoming.headers['x-claude-code-agent-id'];
    return answerMessages(body, typeof agentId === 'string' ? agentId : undefined, response);
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      failures.push(error);
      // 400 and not 500: the client would repeat a 500 with growing pauses.
      if (!response.destroyed)
        sendJson(response, 400, {
          type: 'error',
          error: { type: 'invalid_request_error', message: String(error) },
        });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, loopback, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    url: `http://${loopback}:${port}`,
    requests,
    push: cues.push,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (failures.length > 0)
        throw new AggregateError(failures, `the scripted model failed: ${failures[0]}`);
    },
  };
}

function record(
  body: MessagesBody,
  kind: Kind,
  agentId: string | undefined,
  turn: Turn,
  n: number,
): RecordedRequest {
  return {
    n,
    at: Date.now(),
    kind,
    model: body.model ?? 'unknown',
    system: contentText(body.system),
    messages: (body.messages ?? []).map(({ role, content }) => ({ role, text: contentText(content) })),
    body,
    answer: answerOf(turn, body, n),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

async function bodyText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(answer: Answer, stream: boolean, response: ServerResponse, format: typeof eventStream) {
  if ('error' in answer) return sendJson(response, answer.status, answer.error);
  if (!stream) return sendJson(response, 200, answer.message);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.end(format(answer.message));
}

function sendJson(response: ServerResponse, status: number, value: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
