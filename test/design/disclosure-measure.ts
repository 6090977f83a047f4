import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ruleOnDisclosure } from '../../src/design/disclosure/rule.ts';
const show = process.argv.slice(2);
const folder = path.join(import.meta.dirname, 'disclosure-lines');
for (const f of readdirSync(folder).filter((f)=>f.endsWith('.json'))) {
  const code=f.slice(0,-5);
  if (show.length && show[0]!=='all' && !show[0].split(',').includes(code)) continue;
  const lines=JSON.parse(readFileSync(path.join(folder,f),'utf8'));
  const r=[0,1].map(h=>({d:0,ref:0,u:0,pass:0}));
  lines.forEach((x,i)=>{ const o=r[i%2]; const v=ruleOnDisclosure(x.line);
    if(x.discloses){o.d++; if(!v.discloses){o.ref++; if(i%2===0||show[1]==='odd') console.log('REFUSED',code,i,x.line,'##',v.reason)}}
    else {o.u++; if(v.discloses){o.pass++; if(i%2===0||show[1]==='odd') console.log('PASSED ',code,i,x.line,'##',v.reason)}}});
  console.log(code,'even',JSON.stringify(r[0]),'odd',JSON.stringify(r[1]));
}
