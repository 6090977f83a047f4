import { readFileSync } from 'node:fs';
import { chatRequest } from './chat-request.ts';
import { openLoader } from './loader.ts';
import { startBaseline, startParley, startUpstream } from './program.ts';
import { openWorld } from './world.ts';
const world = await openWorld();
const loader = openLoader();
const upstream = await startUpstream(world);
const parley = process.argv[3] === 'pipe' ? await startBaseline('pipe.ts', world, upstream) : await startParley(world, upstream);
const { path, ...request } = chatRequest(world.key, process.argv[2] === 'stream');
const file = process.argv[3] === 'pipe' ? '/tmp/gclog-pipe.ts' : '/tmp/gclog-parley.js';
for (const c of [32, 1, 1]) {
  const at = readFileSync(file, 'utf8').length;
  const m = await loader.measure({ ...request, url: parley.base + path, connections: c, sameLength: false, seconds: 5 });
  const lines = readFileSync(file, 'utf8').slice(at).split('\n').filter((l) => l.includes('Scav'));
  const nums = lines.map((l) => /Scavenge ([\d.]+) \([\d.]+\) -> ([\d.]+) .*?, ([\d.]+) \//.exec(l)!.slice(1).map(Number));
  let grown = 0; for (let i = 1; i < nums.length; i++) grown += Math.max(0, nums[i]![1]! - nums[i - 1]![1]!);
  const n = m.requestsPerSecond * 5;
  const alloc = nums.reduce((s, x, i) => s + (i ? x[0]! - nums[i - 1]![1]! : 0), 0);
  console.log(c, m.requestsPerSecond.toFixed(0), 'req/s', 'scavenges', nums.length, 'ms in them', nums.reduce((s, x) => s + x[2]!, 0).toFixed(0), 'alloc/req KB', ((alloc * 1024) / n).toFixed(1), 'promoted/req KB', ((grown * 1024) / n).toFixed(2));
}
loader.close(); await Promise.all([parley.close(), upstream.close()]); await world.close(); process.exit(0);
