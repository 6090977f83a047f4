import { chatRequest } from '../chat-request.ts';
import { type Program, startBaseline, startParley, startUpstream } from '../program.ts';
import type { Bench, Contest, Row } from '../row.ts';

export const chatFirstByte: Row = {
  name: 'chat-first-byte',
  path: 'POST /v1/chat/completions, JSON, 1 connection: added to what the upstream takes',
  limit: 'what a bare node:http pipe adds',
  unit: 'ms p50',
  better: 'lower',
  reach: 1.7,
  floor: 2,
  open,
};

async function open({ world, loader, seconds }: Bench): Promise<Contest> {
  const programs: Program[] = [];
  const close = async () => void (await Promise.all(programs.map((program) => program.close())));
  try {
    const upstream = await startUpstream(world);
    programs.push(upstream);
    const [pipe, parley] = await Promise.all([
      startBaseline('pipe.ts', world, upstream),
      startParley(world, upstream),
    ]);
    programs.push(pipe, parley);
    const request = chatRequest(world.key, false);
    const p50 = async ({ base }: Program, time: number, connections = 1) => {
      const load = { base, requests: [[request]], connections, sameLength: true, seconds: time };
      return (await loader.measure(load)).p50;
    };
    for (const program of programs) await p50(program, 5, 32);
    const added = async (program: Program) => ({
      figure: (await p50(program, seconds)) - (await p50(upstream, seconds)),
    });
    return { parley: () => added(parley), limit: () => added(pipe), close };
  } catch (error) {
    await close();
    throw error;
  }
}
