import type { Knex } from 'knex';
import { linesIn } from '../../calls/lines.ts';
import { languageCodeOf } from '../../disclosure/index.ts';
import type { Services, SessionClaims } from '../../environment/services.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import type { Log } from '../../platform/log.ts';
import { runSql } from '../../postgres/sql.ts';
import type { Rooms } from '../../services/livekit.ts';
import { type SessionTokens, sessionPath } from '../sessions/session-token.ts';
import type { SessionStore } from '../sessions/store.ts';
import { type Heartbeat, VoiceCallStore } from './store.ts';

/** What a worker is asked to play in a room. */
export type CallPurpose = { readonly projectId: string } & (
  | {
      readonly web: {
        readonly webAgentId: string;
        readonly conversationId: string;
        readonly version: number;
      };
    }
  | { readonly phone: { readonly phoneNumberId: string; readonly callerPhone: string | null } }
);

/** A call that a worker answers. */
export interface AnsweredCall {
  readonly sessionId: string;
  readonly roomUrl: string;
  readonly token: string;
  /** True if another worker has played the session before. */
  readonly isResumed: boolean;
  /** What the agent says first in a session that is resumed, in its language; null for a new one. */
  readonly resumeLine: string | null;
}

export interface VoiceCallsParts {
  readonly write: Knex;
  readonly tokens: SessionTokens;
  readonly sessions: (caller: { readonly projectId: string }) => Pick<SessionStore, 'turns'>;
  readonly rooms: Pick<Rooms, 'sendWorker'>;
  readonly meter: Services['meter'];
  /** The address of the server, without a slash at its end. */
  readonly address: () => string;
  readonly log: Log;
}

/** Calls that one look of {@link VoiceCalls.watch} takes. */
const mostWatched = 50;

const findWebAgent = `
  select id from web_agents
  where project_id = :projectId and id = :webAgentId and status = 'active' and 'voice' = any(scopes)`;

const findNumber = `
  select number, status, number.flow_id as "flowId", conversation_id as "conversationId",
    coalesce(active_version, flow_version.version) as version
  from phone_numbers as number
  left join conversations as conversation
    on conversation.project_id = number.project_id and conversation.id = conversation_id
  left join flow_versions as flow_version
    on flow_version.project_id = number.project_id and flow_version.flow_id = number.flow_id and is_active
  where number.project_id = :projectId and number.id = :phoneNumberId`;

interface FoundNumber {
  readonly number: string;
  readonly status: 'enabled' | 'disabled';
  readonly flowId: string | null;
  readonly conversationId: string | null;
  readonly version: number | null;
}

/** Lets voice workers answer calls, and sends another worker if one dies. */
export class VoiceCalls {
  readonly #parts: VoiceCallsParts;
  readonly #store: VoiceCallStore;

  constructor(parts: VoiceCallsParts) {
    this.#parts = parts;
    this.#store = new VoiceCallStore(parts.write);
  }

  /**
   * Gives a worker the session of a room: a new one, or the one that the room has.
   * @param purpose what the room is for; undefined if the room must be known
   * @throws ToolError `not_found` for a room, web agent or number that is unknown or answers no calls
   */
  async answer(room: string, worker: string, purpose: CallPurpose | undefined): Promise<AnsweredCall> {
    const call = purpose && {
      claims: await this.#claimsFor(room, purpose),
      purpose: JSON.stringify(purpose),
    };
    const opened = await this.#store.open(room, worker, call);
    if (!opened) throw nothingAnswers('There is no call in this room.');
    const { claims, isKnown, now } = opened;
    const { token } = await this.#parts.tokens.sign(claims, now);
    const { sessionId } = claims;
    const roomUrl = `${this.#parts.address()}${sessionPath}/${sessionId}`;
    const resumeLine = isKnown ? await this.#resumeLine(claims) : null;
    return { sessionId, roomUrl, token, isResumed: isKnown, resumeLine };
  }

  async #resumeLine(claims: SessionClaims): Promise<string> {
    const turns = await this.#parts.sessions(claims).turns(claims.sessionId);
    const said = turns.flatMap(({ events }) =>
      events.flatMap(({ event, text }) => (event === 'say' ? [String(text)] : [])),
    );
    return linesIn(languageCodeOf(said.join(' '))).lost;
  }

  /** Notes that a worker lives. Returns those of its rooms that are still its own. */
  beat(heartbeat: Heartbeat): Promise<string[]> {
    return this.#store.beat(heartbeat);
  }

  /**
   * Sends another worker into each room whose worker is silent, and counts the minutes of calls that are over.
   * @param endSession ends the session of a call whose caller has left
   */
  async watch(endSession: (call: { projectId: string; sessionId: string }) => Promise<void>): Promise<void> {
    if (!(await this.#store.isBusy())) return;
    for (const { projectId, minutes } of await this.#store.takeEnded(mostWatched))
      this.#parts.meter({ projectId }, [
        { service: 'voice_minutes', mode: null, metric: 'minutes', quantity: minutes },
      ]);
    const lost = await this.#store.takeLost(mostWatched);
    await Promise.all(
      lost.map(async ({ projectId, room, sessionId, purpose }) => {
        try {
          if (await this.#parts.rooms.sendWorker(room, purpose))
            this.#parts.log.warn(
              { projectId, sessionId },
              'a voice worker is silent: another one takes its call',
            );
          else await endSession({ projectId, sessionId });
        } catch (err) {
          this.#parts.log.error(
            { projectId, sessionId, err },
            'no worker could be sent into the room of a call',
          );
        }
      }),
    );
    await this.#store.forgetWorkers();
  }

  async #claimsFor(room: string, purpose: CallPurpose): Promise<SessionClaims> {
    const { projectId } = purpose;
    const common = { projectId, sessionId: newId('session'), channel: 'voice', origin: null, room } as const;
    if ('web' in purpose) {
      const { webAgentId, conversationId, version } = purpose.web;
      const [agent] = await runSql(this.#parts.write, findWebAgent, { projectId, webAgentId });
      if (!agent) throw nothingAnswers(`The web agent ${webAgentId} does not exist, or takes no calls.`);
      return { ...common, conversationId, version, webAgentId };
    }
    const { phoneNumberId, callerPhone } = purpose.phone;
    const [found] = await runSql<FoundNumber>(this.#parts.write, findNumber, { projectId, phoneNumberId });
    if (!found || found.status === 'disabled')
      throw nothingAnswers(`The phone number ${phoneNumberId} does not exist, or is disabled.`);
    const { number: calledNumber, conversationId, version, flowId } = found;
    if (version === null)
      throw nothingAnswers(
        `Nothing answers ${calledNumber}. ${callText('assign_conversation', { phoneNumberId, conversationId: '…' })} says what does.`,
      );
    const phone = { calledNumber, ...(callerPhone !== null && { callerPhone }) };
    const owner = { conversationId, ...(flowId !== null && { flowId }) };
    return { ...common, ...owner, version, webAgentId: null, phone };
  }
}

function nothingAnswers(message: string): ToolError {
  return new ToolError('not_found', message);
}
