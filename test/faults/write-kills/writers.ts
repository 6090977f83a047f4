import { setTimeout as delay } from 'node:timers/promises';
import type { Input } from '../../contract/rest-request.ts';
import type { Tenant } from '../../helpers/world.ts';
import { design } from '../small-design.ts';
import { type Acknowledgement, type Call, send, type Transport } from './calls.ts';

/** Half of them write over REST and half over MCP; in each half, every second one sends idempotency keys. */
const writers = 8;
/** The longest time that a write may need, repetitions included, in milliseconds. */
const patience = 60_000;
/** The pause before a write is sent again, in milliseconds. */
const pause = 20;

/** A server that takes writes. */
export interface Replica {
  readonly base: string;
  isKilled: boolean;
  /** The time at which the latest acknowledged write began. */
  latest: number;
}

/** A write that was acknowledged. */
export interface Acknowledged extends Call, Acknowledgement {
  readonly transport: Transport;
  /** True if the write was sent more than once, so that the response may be the stored one of an earlier request. */
  readonly isRepeated: boolean;
}

/** A record as its latest acknowledged write left it, and the operation that reads it. */
export interface ExpectedRecord {
  readonly operation: string;
  readonly input: Input;
  readonly expected: Input;
}

/** Everything that the writers remember. */
export class History {
  readonly acknowledged: Acknowledged[] = [];
  /** By operation and input. */
  readonly records = new Map<string, ExpectedRecord>();
  refused = 0;
  unanswered = 0;
  repeated = 0;

  /** Expects that a record is read with these members. */
  expect(operation: string, input: Input, expected: Input): void {
    this.records.set(JSON.stringify([operation, input]), { operation, input, expected });
  }
}

interface WritersOptions {
  /** The replicas at this moment; a killed one is replaced by another object. */
  readonly replicas: readonly Replica[];
  readonly tenant: Tenant;
  readonly history: History;
  /** Part of every name that is written, so that names are unique. */
  readonly label: string;
}

/** Starts writers that run until `finish` is called. */
export function startWriters(options: WritersOptions) {
  const { replicas, label } = options;
  const finishing = new AbortController();
  const run = async (number: number) => {
    const writer = new Writer(options, number % 2 ? 'MCP' : 'REST', number % 4 < 2);
    for (let count = 0; !finishing.signal.aborted; count++) {
      await writer.writeStory(`${label} ${number}.${count}`, finishing.signal);
      // A writer whose every call fails at once would leave no time for anything else.
      await delay(0);
    }
  };
  const working = Promise.all(Array.from({ length: writers }, (_, number) => run(number)));
  return {
    /** Rejects as soon as a writer meets an unexpected response. */
    failed: working.then(() => undefined),
    /** Returns the milliseconds until every replica has acknowledged a write that began after this moment. */
    async writesAgainAfter(moment: number): Promise<number> {
      for (const deadline = performance.now() + patience; performance.now() < deadline; ) {
        if (replicas.every(({ latest }) => latest > moment)) return performance.now() - moment;
        await Promise.race([delay(2), working]);
      }
      throw new Error(`a replica acknowledged no write within ${patience / 1000} s (${label})`);
    },
    async finish(): Promise<void> {
      finishing.abort();
      await working;
    },
  };
}

/** One client, with one call at a time. */
class Writer {
  readonly #options: WritersOptions;
  readonly #transport: Transport;
  /** Sends an idempotency key with each write, and repeats the write until it is acknowledged. */
  readonly #hasKeys: boolean;

  constructor(options: WritersOptions, transport: Transport, hasKeys: boolean) {
    this.#options = options;
    this.#transport = transport;
    this.#hasKeys = hasKeys;
  }

  /** Makes records and changes them. Ends early if the outcome of a write without a key is unknown. */
  async writeStory(name: string, finishing: AbortSignal): Promise<void> {
    const { projectId } = this.#options.tenant;
    const { history } = this.#options;
    const parts = [
      async () => {
        const flow = await this.#write('create_flow', { projectId, name, flowSchema: { greeting: name } });
        const { id: flowId, agentProfileId: _, updatedAt: __, ...flowContent } = recordOf(flow);
        history.expect('get_flow', { flowId }, flowContent);
        const greeting = `${name} again`;
        const version = await this.#write('create_flow_version', { flowId, flowSchema: { greeting } });
        const { id: versionId, isActive: ___, updatedAt: ____, ...versionContent } = recordOf(version);
        history.expect('get_flow_version', { versionId }, versionContent);
        const activated = await this.#write('activate_flow_version', { versionId });
        history.expect('get_flow_version', { versionId }, recordOf(activated));
        const profile = await this.#write('create_agent_profile', { projectId, name, flowIds: [flowId] });
        const { id: agentProfileId } = profile;
        const content = { flowIds: [], isDefault: false, supportedInputLanguages: ['en'] };
        const replacement = { ...content, name: greeting, reasoningMode: 'deep', outputVoiceId: 'alloy' };
        // PUT takes no idempotency key, and may be repeated without one.
        const replaced = await this.#write('replace_agent_profile', { agentProfileId, ...replacement }, true);
        history.expect('get_agent_profile', { agentProfileId }, replaced);
      },
      async () => {
        await this.#write('mint_key', { projectId, keyType: 'publishable', name });
      },
      async () => {
        const created = await this.#write('create_conversation', { projectId, name, design });
        const { id: conversationId, updatedAt: _, ...content } = created;
        history.expect('get_conversation', { conversationId }, content);
        for (const n of [1, 2]) {
          const line = `${name}, edit ${n}`;
          const merge = { steps: { bye: { line } } };
          const version = await this.#write('edit_design', { conversationId, version: n, merge });
          const { hello } = design.steps;
          const steps = { hello, bye: { kind: 'end', line } };
          history.expect('read_design', { conversationId, version: version['version'] }, { steps });
        }
      },
    ];
    for (const part of parts) {
      if (finishing.aborted) return;
      try {
        await part();
      } catch (error) {
        if (!(error instanceof UnknownOutcome)) throw error;
      }
    }
  }

  /**
   * Writes, and remembers the acknowledgement.
   * @throws UnknownOutcome if no acknowledgement arrives and the write may not be repeated
   */
  async #write(operation: string, input: Input, isRepeatable = this.#hasKeys): Promise<Input> {
    const { history, tenant, label } = this.#options;
    const idempotencyKey = this.#hasKeys ? `${label}-${crypto.randomUUID()}`.replaceAll(' ', '-') : undefined;
    const call = { operation, input, idempotencyKey };
    const deadline = performance.now() + patience;
    for (let attempt = 1; performance.now() < deadline; attempt++) {
      const replica = this.#chooseReplica();
      const began = performance.now();
      const outcome = await send(replica.base, tenant.key, this.#transport, call);
      if (typeof outcome === 'object') {
        replica.latest = Math.max(replica.latest, began);
        const isRepeated = attempt > 1;
        history.acknowledged.push({ ...call, ...outcome, transport: this.#transport, isRepeated });
        if (isRepeated) history.repeated += 1;
        return JSON.parse(outcome.text) as Input;
      }
      history[outcome] += 1;
      if (outcome === 'unanswered' && !replica.isKilled)
        throw new Error(`${replica.base} left ${operation} unanswered, and nobody had killed it`);
      await delay(pause);
      if (!isRepeatable) throw new UnknownOutcome();
    }
    throw new Error(`${operation} was not acknowledged within ${patience / 1000} s (${label})`);
  }

  #chooseReplica(): Replica {
    const running = this.#options.replicas.filter(({ isKilled }) => !isKilled);
    const replica = running[Math.floor(Math.random() * running.length)];
    if (!replica) throw new Error('no replica runs');
    return replica;
  }
}

/** No acknowledgement arrived, so the write may be stored or not. */
class UnknownOutcome extends Error {}

/** A result without what MCP adds to the record, and reads do not return. */
function recordOf({ versionId: _, warnings: __, answers: ___, ...record }: Input): Input {
  return record;
}
