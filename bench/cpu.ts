import { readdirSync, readFileSync } from 'node:fs';
import { chatRequest } from './chat-request.ts';
import { openLoader } from './loader.ts';
import { startBaseline, startParley, startProgram, startUpstream } from './program.ts';
import { openWorld } from './world.ts';
const stream = process.argv[2] === 'stream';
const connections = Number(process.argv[3] ?? 32);
const rounds = Number(process.argv[4] ?? 3);
function cpu() {
  const out: Record<string, number> = {};
  for (const pid of readdirSync('/proc').filter((d) => /^\d+$/.test(d))) {
    try {
      const cmd = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const f = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const t = (Number(f[11]) + Number(f[12])) * 10;
      const name = cmd.includes('/tmp/w-px/bench/baselines/pipe') ? 'pipe' : cmd.includes('/tmp/w-px/bench/baselines/model-up') ? 'upstream' : cmd.includes('/tmp/w-px/bin/parley.js serve') ? 'parley' : cmd.includes('/work/main/bin/parley.js serve') ? 'old' : cmd.includes('/tmp/w-px/bench/load.ts') ? 'loader' : /^postgres: parley bench/.test(cmd) ? 'postgres' : cmd.startsWith('postgres') ? 'postgres-other' : undefined;
      if (name) out[name] = (out[name] ?? 0) + t;
    } catch {}
  }
  return out;
}
const world = await openWorld();
const loader = openLoader();
const upstream = await startUpstream(world);
const pipe = await startBaseline('pipe.ts', world, upstream);
const parley = await startParley(world, upstream);
const { path, ...request } = chatRequest(world.key, stream);
const run = async (p: any, seconds: number) => {
  const a = cpu();
  const m = await loader.measure({ ...request, url: p.base + path, connections, sameLength: false, seconds });
  const b = cpu();
  const n = m.requestsPerSecond * seconds;
  const per: Record<string, string> = {};
  for (const k in b) per[k] = (((b[k]! - (a[k] ?? 0)) * 1000) / n).toFixed(0);
  return `${m.requestsPerSecond.toFixed(0)} req/s p50 ${m.p50.toFixed(3)} us/req ${JSON.stringify(per)}`;
};
const old = await startProgram('/work/main/bin/parley.js', () => ['serve'], { DATABASE_URL: world.databaseUrl, PARLEY_SECRET_KEY: world.secretKey, OPENAI_BASE_URL: upstream.base + '/v1', OPENAI_API_KEY: 'key' });
const med = (x: number[]) => x.toSorted((a, b) => a - b)[x.length >> 1]!;
const results: Record<string, { rps: number[]; p50: number[]; cpu: number[] }> = {};
const progs = { old, parley, pipe };
for (const p of Object.values(progs)) await run(p, 4);
for (let i = 0; i < rounds; i++) for (const [name, p] of Object.entries(progs)) {
  const r = (results[name] ??= { rps: [], p50: [], cpu: [] });
  const a = cpu();
  const m = await loader.measure({ ...request, url: p.base + path, connections, sameLength: false, seconds: 1.5 });
  const b = cpu();
  r.rps.push(m.requestsPerSecond); r.p50.push(m.p50); r.cpu.push(((b[name]! - (a[name] ?? 0)) * 1000) / (m.requestsPerSecond * 1.5));
}
for (const [name, r] of Object.entries(results)) console.log(name.padEnd(7), 'rps', med(r.rps).toFixed(0), 'p50', med(r.p50).toFixed(3), 'cpu us', med(r.cpu).toFixed(0), 'min', Math.min(...r.cpu).toFixed(0));
const ratios = (k: 'rps'|'cpu'|'p50', x: string, y: string) => med(results[x]![k].map((v, i) => v / results[y]![k][i]!)).toFixed(3);
console.log('new/old rps', ratios('rps','parley','old'), 'cpu', ratios('cpu','parley','old'), 'p50', ratios('p50','parley','old'), '| new/pipe rps', ratios('rps','parley','pipe'), '| old/pipe', ratios('rps','old','pipe'));
await old.close();
loader.close();
await Promise.all([parley.close(), pipe.close(), upstream.close()]);
await world.close();
process.exit(0);
