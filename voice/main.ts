/**
 * `parley voice`: registers with LiveKit, and plays Parley's conversations in the rooms of calls.
 *
 * SIGTERM and SIGINT drain: the process takes no more calls, and exits once those in progress are over, or after
 * PARLEY_VOICE_DRAIN seconds. A second signal exits at once. Parley then sends another worker into the rooms.
 */
import { dispose } from '@livekit/rtc-node';
import { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { Call } from './call.ts';
import { Dispatch } from './dispatch.ts';
import { log, messageOf } from './log.ts';
import { ParleyClient, ParleyError } from './parley-client.ts';
import { readSettings, type Settings, StartError } from './settings.ts';
import { loadVoiceModel } from './voice-activity.ts';

/** Milliseconds between two heartbeats. Parley replaces a worker that was silent for 3 s. */
const heartbeatInterval = 2000;

try {
  await run(readSettings());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function run(settings: Settings): Promise<void> {
  const { worker, liveKit, agentName, capacity, drainLimit } = settings;
  const parley = new ParleyClient(settings.parley);
  const liveKitApi = [liveKit.url.replace(/^ws/, 'http'), liveKit.apiKey, liveKit.apiSecret] as const;
  const rooms = new RoomServiceClient(...liveKitApi);
  const sip = new SipClient(...liveKitApi);
  await checkParley(parley, settings);
  await checkLiveKit(rooms, settings);
  const model = await loadVoiceModel();

  const calls = new Set<Call>();
  const dispatch = new Dispatch({
    ...liveKit,
    agentName,
    capacity,
    log,
    run(assignment) {
      const call = new Call({ assignment, worker, parley, rooms, sip, model, log });
      calls.add(call);
      const remove = () => void calls.delete(call);
      call.over.then(remove, remove);
      return call;
    },
  });
  const beating = setInterval(() => void beat(), heartbeatInterval);
  // The client of rooms starts work of its own. If that fails for one call, the others go on.
  process.on('unhandledRejection', (reason) => log('unhandled-rejection', { reason: messageOf(reason) }));
  drainOnSignals();
  await dispatch.connect();

  let isParleyLost = false;
  /** Tells Parley which rooms this worker has, and leaves those that have another one. */
  async function beat(): Promise<void> {
    const mine = [...calls].filter(({ isOpen }) => isOpen);
    const names = mine.map(({ roomName }) => roomName);
    try {
      const kept = await parley.beat({ worker, capacity, rooms: names, isDraining: dispatch.isDraining });
      if (isParleyLost) log('parley-found');
      isParleyLost = false;
      if (kept === undefined) return;
      // Parley forgets a room when its session ends, while the last lines still play.
      for (const call of mine)
        if (!call.isSessionOver && !kept.includes(call.roomName)) call.leave('another worker has the call');
    } catch (error) {
      if (!isParleyLost) log('parley-lost', { reason: messageOf(error) });
      isParleyLost = true;
    }
  }

  function drainOnSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (dispatch.isDraining) process.exit(1);
        log('drains', { calls: calls.size });
        const limit = setTimeout(() => {
          for (const call of calls) call.leave('the time to drain is over');
        }, drainLimit);
        void dispatch.drain().then(async () => {
          clearTimeout(limit);
          clearInterval(beating);
          dispatch.close();
          log('drained');
          await dispose();
          process.exit(0);
        });
      });
  }
}

async function checkParley(
  parley: ParleyClient,
  { worker, capacity, parley: { url } }: Settings,
): Promise<void> {
  try {
    await parley.beat({ worker, capacity, rooms: [], isDraining: false });
  } catch (error) {
    if (error instanceof ParleyError && error.status === 401)
      throw new StartError(
        `Parley at ${url} refuses the voice key. Set PARLEY_VOICE_KEY to the key of that server.`,
      );
    throw new StartError(`No Parley at ${url}: ${messageOf(error)}. Start it, or set PARLEY_URL.`);
  }
}

async function checkLiveKit(rooms: RoomServiceClient, { liveKit: { url, apiKey } }: Settings): Promise<void> {
  try {
    await rooms.listRooms();
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 401)
      throw new StartError(
        `LiveKit at ${url} refuses the key ${apiKey}. Set LIVEKIT_API_KEY and LIVEKIT_API_SECRET as the server has them.`,
      );
    throw new StartError(`No LiveKit at ${url}: ${messageOf(error)}. Start it, or set LIVEKIT_URL.`);
  }
}
