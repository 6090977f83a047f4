import { jsonSchemaOf } from '../../operation/json-schema.ts';
import type { JsonObject } from '../../operation/result.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import {
  Digits,
  Message,
  Silence,
  SpokenLine,
  Start,
  Transferred,
} from '../../resources/sessions/playing/message.ts';
import { recordingTypes } from '../../resources/sessions/playing/speech.ts';
import { Expectation } from '../../resources/sessions/schema.ts';
import { sessionPath } from '../../resources/sessions/session-token.ts';
import { describedError } from './openapi-errors.ts';

/** The security scheme of the addresses of sessions. */
export const sessionTokenScheme = {
  sessionToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `token` of create_web_session. It opens one session, from the origin that started it.',
  },
};

export const sessionTag = {
  name: 'visitors',
  description:
    "What a visitor's page sends to `roomUrl`. These addresses take the token of one session, and no key.",
};

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };

function object(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const transfer = {
  type: 'object',
  properties: {
    kind: text,
    value: text,
    handedOver: { type: 'boolean', description: 'False: show `value` to the visitor.' },
    mode: { enum: ['cold', 'warm'] },
    isAwaited: {
      const: true,
      description:
        'For voice workers only: carry the transfer out, and send `{transferred}`. The conversation waits for it.',
    },
  },
  required: ['kind', 'value'],
  additionalProperties: false,
};

/** What an event of a stream carries as `data`, by the name of the event. */
const eventData: Readonly<Record<string, JsonObject>> = {
  heard: { ...object({ text }), description: 'What a recording was understood as; empty for silence.' },
  interrupted: {
    ...object({ turn: { type: 'integer', minimum: 0 }, text }),
    description: 'What the caller had heard of an earlier turn, as the message said it.',
  },
  step: { ...object({ step: text }), description: 'The conversation enters a step.' },
  say: {
    type: 'object',
    properties: {
      text,
      step: text,
      interruptible: {
        const: false,
        description: 'For voice workers only: the caller must hear the line to its end.',
      },
    },
    required: ['text', 'step'],
    additionalProperties: false,
    description: 'A whole line of the agent.',
  },
  audio: {
    ...object({ type: text, data: { type: 'string', contentEncoding: 'base64' } }),
    description: 'The speech of the line before; of a recorded turn only.',
  },
  transfer: { ...transfer, description: 'The agent hands over to a person.' },
  end: { ...object({ reason: text }), description: 'The session is over.' },
  listen: {
    type: 'object',
    properties: {
      step: text,
      expects: jsonSchemaOf(Expectation),
      silence: { type: 'number', description: 'Seconds without a word after which `{silent: true}` is due.' },
      digits: object({ most: { type: 'integer', minimum: 1 }, pause: { type: 'number' } }),
    },
    required: ['step', 'expects', 'silence'],
    additionalProperties: false,
    description: 'For voice workers only: what the conversation waits for. `digits`: keys may answer.',
  },
  error: {
    $ref: '#/components/schemas/Error',
    description: 'The turn is not stored. Send it again with the same `messageId`.',
  },
  done: {
    ...object({ turn: { type: 'integer', minimum: 0 } }),
    description: 'The last event: the turn is stored. Until then, all others are provisional.',
  },
};

/** Events that a stored turn keeps. */
const storedEvents = ['heard', 'interrupted', 'step', 'say', 'transfer', 'end', 'listen'];

const standing = {
  id: text,
  status: { enum: ['waiting', 'open', 'ended'] },
  step: textOrNull,
  reason: textOrNull,
};

const shownSession = object({
  ...standing,
  turns: {
    type: 'array',
    items: object({
      turn: { type: 'integer', minimum: 0 },
      messageId: textOrNull,
      text: textOrNull,
      events: {
        type: 'array',
        items: {
          oneOf: storedEvents.map((event) => {
            const { properties, required } = eventData[event] as {
              properties: JsonObject;
              required: string[];
            };
            return {
              ...object({ event: { const: event }, ...properties }),
              required: ['event', ...required],
            };
          }),
        },
      },
    }),
  },
});

/** A turn as it is played. OpenAPI 3.1 cannot describe single events, so `x-events` does. */
const eventStream = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'Server-sent events: `event: NAME`, and `data: JSON` as `x-events` describes it by name.',
    },
    'x-events': eventData,
    example: 'event: say\ndata: {"text":"For which date?","step":"ask"}\n\nevent: done\ndata: {"turn":1}\n\n',
  },
};

const messageExamples = {
  start: { value: { start: true } },
  message: { value: { text: 'Book a table, please', messageId: '7d5f3c0e-2a41-4c58-9b1f-0d7c3c1b8a52' } },
};

type Errors = Readonly<Record<number, readonly [code: ErrorCode, meaning: string]>>;

const invalidBody = [
  'invalid_request',
  'The body is invalid. `details.issues` lists every problem.',
] as const;
const modelFails = ['internal_error', 'No model responds. Try again.'] as const;

const turnErrors: Errors = {
  400: ['invalid_request', 'The body or the query is invalid. `details.issues` lists every problem.'],
  409: ['in_use', 'An earlier message is still being played.'],
  413: ['payload_too_large', 'The body is too large.'],
  502: ['internal_error', 'A model does not respond, or the turn takes too long. Send it again.'],
};

/** Returns the paths of the sessions that this server plays. They are not operations, so they are not MCP tools. */
export function sessionPaths(): JsonObject {
  const room = `${sessionPath}/{sessionId}`;
  return {
    [room]: {
      get: described('read_web_session', 'Read a session', 'Returns the status and the transcript.', {
        content: { 'application/json': { schema: shownSession } },
      }),
    },
    [`${room}/messages`]: {
      post: described(
        'send_web_session_message',
        'Send a message',
        'Plays a turn. Send `{start: true}` first, because the opening says that an AI answers. A message that was played returns its stored events.',
        {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  oneOf: [Start, Message, Silence, Digits, Transferred].map((schema) => jsonSchemaOf(schema)),
                },
                examples: messageExamples,
              },
            },
          },
          content: eventStream,
          errors: turnErrors,
        },
      ),
    },
    [`${room}/speech`]: {
      post: described(
        'send_web_session_recording',
        'Send a recorded turn',
        'Transcribes a recording, plays it as a turn, and speaks the reply. For sessions with mode voice only. Up to 25 MiB.',
        {
          parameters: [
            {
              name: 'messageId',
              in: 'query',
              required: true,
              description: 'A text of your own, such as a UUID. A retry has the same one.',
              schema: { type: 'string', minLength: 1, maxLength: 100 },
            },
          ],
          requestBody: {
            required: true,
            content: Object.fromEntries(Object.keys(recordingTypes).map((type) => [type, { schema: {} }])),
          },
          content: eventStream,
          errors: turnErrors,
        },
      ),
    },
    [`${room}/say`]: {
      post: described(
        'say_web_session_line',
        'Speak a line',
        'Speaks a line in the voice of the agent, as samples of 24 kHz with 16 bits, little-endian. For the session of a voice worker only.',
        {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchemaOf(SpokenLine) } },
          },
          content: { 'audio/pcm': {} },
          errors: { 400: invalidBody, 502: modelFails },
        },
      ),
    },
    [`${room}/transcriptions`]: {
      post: described(
        'transcribe_web_session_recording',
        'Understand a recording',
        'Transcribes a recording without playing a turn; the text is empty if there are no words in it. For the session of a voice worker only.',
        {
          requestBody: {
            required: true,
            content: Object.fromEntries(Object.keys(recordingTypes).map((type) => [type, { schema: {} }])),
          },
          content: { 'application/json': { schema: object({ text }) } },
          errors: {
            400: invalidBody,
            413: ['payload_too_large', 'The recording is larger than 25 MiB.'],
            502: modelFails,
          },
        },
      ),
    },
    [`${room}/end`]: {
      post: described(
        'end_web_session',
        'End a session',
        'Ends the session, because the visitor leaves it.',
        {
          content: { 'application/json': { schema: object(standing) } },
          errors: { 409: ['in_use', 'A message is still being played.'] },
        },
      ),
    },
  };
}

const sessionId = {
  name: 'sessionId',
  in: 'path',
  required: true,
  description: 'The last part of `roomUrl`.',
  schema: text,
};

interface Parts {
  readonly parameters?: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  /** The content of the response. */
  readonly content: JsonObject;
  readonly errors?: Errors;
}

function described(
  operationId: string,
  summary: string,
  description: string,
  { parameters = [], requestBody, content, errors }: Parts,
): JsonObject {
  const all: Errors = {
    401: ['unauthorized', 'The token is missing or wrong, or its ten minutes to start the session are over.'],
    403: ['forbidden', 'The origin, the mode or the state of the project does not allow this.'],
    404: [
      'not_found',
      'The token belongs to another session, or the session or its conversation is gone. After the end of a session, `details.reason` says why it ended.',
    ],
    429: ['rate_limited', 'Too many requests, or too many open sessions. Try again after `Retry-After`.'],
    500: ['internal_error', 'Something unexpected failed. Try again.'],
    ...errors,
  };
  const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
  return {
    operationId,
    summary,
    description,
    tags: [sessionTag.name],
    security: [{ sessionToken: [] }],
    parameters: [sessionId, ...parameters],
    ...(requestBody && { requestBody }),
    responses: {
      200: { description: summary, headers, content },
      ...Object.fromEntries(
        Object.entries(all).map(([status, [code, meaning]]) => [status, describedError(code, meaning)]),
      ),
    },
  };
}
